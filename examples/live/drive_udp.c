/* SPDX-License-Identifier: Apache-2.0 */
/* Drives car 0 of `vdsim serve SCENE --lockstep` for two seconds: a command out, a state back, 400 times.
   cc drive_udp.c -o drive_udp && ./drive_udp [cmd_port state_port].  Little endian machines, as VDS1 is. */
#include <arpa/inet.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

static uint32_t crc32(const unsigned char* p, size_t n) {
  uint32_t c = 0xFFFFFFFFu;
  for (size_t i = 0; i < n; ++i) {
    c ^= p[i];
    for (int k = 0; k < 8; ++k) c = (c & 1) ? 0xEDB88320u ^ (c >> 1) : c >> 1;
  }
  return ~c;
}
static size_t put(unsigned char* to, size_t at, const void* from, size_t n) {
  memcpy(to + at, from, n);
  return at + n;
}

/* header 24 bytes, body 48, CRC 4 */
static void command(unsigned char f[76], uint32_t seq, double steer, double throttle, double brake) {
  const uint32_t magic = 0x56445331u, vehicle = 0;
  const uint16_t version = 5, type = 1;
  const double numbers[4] = {0 /* time, not read */, steer, throttle, brake}, aux[2] = {0, 0};
  const int32_t gear = 1;
  const unsigned char handbrake[4] = {0, 0, 0, 0};
  size_t at = 0;
  at = put(f, at, &magic, 4), at = put(f, at, &version, 2), at = put(f, at, &type, 2);
  at = put(f, at, &seq, 4), at = put(f, at, &vehicle, 4), at = put(f, at, numbers, 32);
  at = put(f, at, &gear, 4), at = put(f, at, handbrake, 4), at = put(f, at, aux, 16);
  const uint32_t sum = crc32(f, at);
  put(f, at, &sum, 4);
}

int main(int argc, char** argv) {
  const uint16_t ports[2] = {(uint16_t)(argc > 2 ? atoi(argv[1]) : 7001), (uint16_t)(argc > 2 ? atoi(argv[2]) : 7002)};
  const int s = socket(AF_INET, SOCK_DGRAM, 0);
  struct sockaddr_in server = {0}, here = {0};
  server.sin_family = here.sin_family = AF_INET;
  server.sin_port = htons(ports[0]), here.sin_port = htons(ports[1]);
  server.sin_addr.s_addr = here.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  if (s < 0 || bind(s, (struct sockaddr*)&here, sizeof here) != 0) return perror("bind"), 1;
  const struct timeval limit = {5, 0};
  setsockopt(s, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof limit);
  unsigned char out[76], in[512];
  double t = 0, body[53] = {0};
  for (uint32_t seq = 1; seq <= 400; ++seq) {
    uint32_t sum, answered;
    command(out, seq, seq > 200 ? 0.03 : 0.0, 0.5, 0.0);
    sendto(s, out, sizeof out, 0, (struct sockaddr*)&server, sizeof server);
    if (recv(s, in, sizeof in, 0) != 452) return fprintf(stderr, "no state\n"), 1;
    memcpy(&sum, in + 448, 4), memcpy(&answered, in + 8, 4);
    if (sum != crc32(in, 448) || answered != seq) return fprintf(stderr, "another frame\n"), 1;
    memcpy(&t, in + 16, 8), memcpy(body, in + 24, sizeof body);
  }
  printf("t %.3f s, x %.3f m, y %.3f m, yaw %.4f rad, vx %.3f m/s\n", t, body[0], body[1], body[5], body[6]);
  return close(s), 0;
}
