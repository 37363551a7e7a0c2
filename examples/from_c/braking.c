/* SPDX-License-Identifier: Apache-2.0 */
/* C: your own controller in the loop. A sedan brakes and steers on a wet road, once with the pedal pressed home, once with a pedal
 * that lets go when a wheel is about to lock. Check: locked wheels slide straight on, rolling ones steer around the obstacle. */
#include <stdio.h>
#include <stdlib.h>
#include <vdsim.h>

static void check(int status) {
  if (status == VDSIM_OK) return;
  fprintf(stderr, "%s\n", vdsim_error());
  exit(status);
}

/* How far to the left the car is after 30 m [m]. */
static double aside(vdsim_sim *sim, int controlled) {
  static const char *const names[] = {"x", "y", "kappa_fl", "kappa_fr", "kappa_rl", "kappa_rr"};
  uint32_t ids[6];
  double now[6];
  vdsim_commands pedal = VDSIM_COMMANDS_INIT;
  int i;
  for (i = 0; i < 6; ++i) check(vdsim_signal_id(sim, names[i], &ids[i]));
  check(vdsim_sim_reset(sim, NULL));
  check(vdsim_sim_read(sim, ids, 6, now));
  pedal.steer = 0.06;
  while (now[0] < 30) {
    double most = 0;
    for (i = 2; i < 6; ++i)
      if (-now[i] > most) most = -now[i];
    pedal.brake += !controlled || most < 0.12 ? 0.02 : -0.02;
    if (pedal.brake > 1) pedal.brake = 1;
    if (pedal.brake < 0) pedal.brake = 0;
    check(vdsim_sim_step(sim, &pedal, NULL, 0.001));
    check(vdsim_sim_read(sim, ids, 6, now));
  }
  return now[1];
}

int main(void) {
  vdsim_catalog *catalog;
  vdsim_spec *scene;
  vdsim_sim *sim;
  double locked, controlled;
  static const char text[] = "{id: wet, mu: 0.5, fleet: [{id: ego, vx0: 25, blueprint: vehicle.sedan_comfort}]}";
  check(vdsim_catalog_open(NULL, &catalog));
  check(vdsim_spec_read(catalog, VDSIM_SCENE, text, sizeof text - 1, NULL, &scene));
  if (vdsim_spec_set(scene, "chassis.mas", "1600") == VDSIM_BAD_INPUT) printf("refused: %s\n", vdsim_error());
  check(vdsim_sim_create(scene, NULL, &sim));
  locked = aside(sim, 0);
  controlled = aside(sim, 1);
  printf("braking: from 90 km/h on a wet road, after 30 m %.1f m aside with locked wheels, %.1f m with the controller\n", locked,
         controlled);
  vdsim_sim_free(sim);
  vdsim_spec_free(scene);
  vdsim_catalog_close(catalog);
  return controlled > 2 * locked ? 0 : 1;
}
