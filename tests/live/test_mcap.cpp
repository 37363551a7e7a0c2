// SPDX-License-Identifier: Apache-2.0
// The bytes of MCAP and of CDR by themselves; tests/scripts/mcap_readers.sh opens the same files with other people's readers.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <filesystem>

#include "vdsim/config/catalog.hpp"
#include "vdsim/engine/hash.hpp"
#include "vdsim/formats/crc32.hpp"
#include "vdsim/formats/little_endian.hpp"
#include "vdsim/formats/mcap/geodesy.hpp"
#include "vdsim/formats/mcap/mcap_file.hpp"
#include "vdsim/study/live/server/mcap_recorder.hpp"
#include "vdsim/study/sim.hpp"

namespace vdsim {
namespace {

struct Record {
  int op;
  std::string_view content;
};
// The records between the two magic words, as far as they are whole.
std::vector<Record> records(std::string_view file) {
  std::vector<Record> out;
  std::size_t at = 8;
  while (at + 9 <= file.size()) {
    const auto length = get_le<std::uint64_t>(file, at + 1);
    if (length > file.size() - at - 9) break;
    out.push_back({static_cast<unsigned char>(file[at]), file.substr(at + 9, length)});
    at += 9 + length;
    if (out.back().op == 2) break;
  }
  return out;
}
int count(const std::vector<Record>& all, int op) {
  int out = 0;
  for (const Record& each : all) out += each.op == op;
  return out;
}

McapWriter::Options plain() {
  McapWriter::Options out;
  out.compress = false;
  return out;
}

TEST(Mcap, ChunksEndAfterOneSecondOrOneMegabyte) {
  std::string file;
  McapWriter writer([&](std::string_view bytes) { file += bytes; }, plain());
  const auto channel = writer.add_channel(0, "/x", "json");
  for (int i = 0; i <= 400; ++i) {  // 100 Hz: what a kill now would lose begins at most one second ago
    writer.write(channel, static_cast<std::uint64_t>(i) * 10'000'000, "{}");
    EXPECT_EQ(count(records(file), 6), i / 100) << i;
  }
  const std::string large(300'000, 'x');
  const int before = count(records(file), 6);
  for (int i = 0; i < 9; ++i) writer.write(channel, 4'000'000'000 + static_cast<std::uint64_t>(i), large);
  EXPECT_EQ(count(records(file), 6), before + 2);  // each closed by the first message after 4 x 300 kB
  writer.close();
  const auto all = records(file);
  EXPECT_EQ(all.back().op, 2);
  EXPECT_EQ(file.substr(file.size() - 8), file.substr(0, 8));
}

TEST(Mcap, ChecksumsHold) {
  std::string file;
  McapWriter writer([&](std::string_view bytes) { file += bytes; }, plain());
  const auto channel = writer.add_channel(writer.add_schema("a/B", "ros2msg", "int32 x\n"), "/x", "cdr");
  writer.attach("resolved.yaml", "application/yaml", "id: x\n", 5);
  for (int i = 0; i < 10; ++i) writer.write(channel, static_cast<std::uint64_t>(i), "12345678");
  writer.close();
  for (const Record& each : records(file)) {
    if (each.op == 6) {  // three times, then the CRC of the records
      EXPECT_EQ(get_le<std::uint32_t>(each.content, 24), crc32(each.content.substr(28 + 4 + 8)));
      EXPECT_EQ(get_le<std::uint64_t>(each.content, 16), each.content.size() - 40);
    }
    if (each.op == 9) {
      EXPECT_EQ(get_le<std::uint32_t>(each.content, each.content.size() - 4),
                crc32(each.content.substr(0, each.content.size() - 4)));
    }
    if (each.op == 2) {
      const auto start = get_le<std::uint64_t>(each.content, 0);
      const std::size_t crc_at = static_cast<std::size_t>(each.content.data() - file.data()) + 16;
      EXPECT_EQ(get_le<std::uint32_t>(each.content, 16), crc32(std::string_view(file).substr(start, crc_at - start)));
    }
  }
}

TEST(Ros2, NumbersStandAtMultiplesOfTheirSize) {
  ros2::WrenchStamped wrench;
  wrench.header = {1'500'000'001, "wheel"};  // 4 + 4 + 4 + 6 bytes, then 6 of nothing
  wrench.force.x = 2.5;
  const std::string bytes = cdr(wrench);
  EXPECT_EQ(bytes.substr(0, 4), std::string("\0\1\0\0", 4));
  EXPECT_EQ(get_le<std::int32_t>(bytes, 4), 1);
  EXPECT_EQ(get_le<std::uint32_t>(bytes, 8), 500'000'001u);
  EXPECT_EQ(get_le<std::uint32_t>(bytes, 12), 6u);
  EXPECT_EQ(get_le<double>(bytes, 4 + 24), 2.5);
  EXPECT_EQ(bytes.size(), 4u + 24 + 6 * 8);
}

TEST(Ros2, TurnsAsTheAnglesDo) {  // q turns the x axis to where yaw and pitch say
  const double roll = 0.3, pitch = -0.2, yaw = 2.1;
  const ros2::Quaternion q = ros2::turned(roll, pitch, yaw);
  EXPECT_NEAR(q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w, 1, 1e-15);
  EXPECT_NEAR(1 - 2 * (q.y * q.y + q.z * q.z), std::cos(yaw) * std::cos(pitch), 1e-15);
  EXPECT_NEAR(2 * (q.x * q.y + q.z * q.w), std::sin(yaw) * std::cos(pitch), 1e-15);
  EXPECT_NEAR(2 * (q.x * q.z - q.y * q.w), -std::sin(pitch), 1e-15);
  EXPECT_NEAR(2 * (q.y * q.z + q.x * q.w), std::sin(roll) * std::cos(pitch), 1e-15);
}

TEST(Geodesy, ADegreeHasTheLengthOfItsCircle) {
  const double kDegree = 3.14159265358979323846 / 180, kEquator = 6378137;
  EXPECT_NEAR(geodetic({0, 0, 0}, 0, 0, 7).altitude, 7, 1e-8);
  // along the equator and over the pole the ellipsoid is known in closed form
  const Geodetic east = geodetic({0, 10, 0}, 1000, 0, 0);
  EXPECT_NEAR((east.longitude - 10) * kDegree, std::atan(1000 / kEquator), 1e-15);
  EXPECT_NEAR(east.altitude, std::hypot(1000, kEquator) - kEquator, 1e-6);
  const double M = kEquator * (1 - 0.00669437999014) / std::pow(1 - 0.00669437999014 * 0.5, 1.5);  // at 45 degrees
  EXPECT_NEAR((geodetic({45, 0, 0}, 0, 1, 0).latitude - 45) * kDegree * M, 1, 1e-6);
}

TEST(Geodesy, TheWayBackIsTheOrigin) {
  for (const double latitude : {-89.0, -33.0, 0.0, 48.1, 71.0}) {
    const Geodetic same = geodetic({latitude, 11.5, 520}, 0, 0, 0);
    EXPECT_NEAR(same.latitude, latitude, 1e-12);
    EXPECT_NEAR(same.longitude, 11.5, 1e-12);
    EXPECT_NEAR(same.altitude, 520, 1e-8);
  }
}

// Two recordings, with and without compression, where the script asks for them.
TEST(McapRecorder, ADriveOnAGrade) {
  const Catalog catalog(VDSIM_SOURCE_DIR "/configs");
  const Scenario scene = load_scene(catalog, "lugre_grade_demo");
  const char* const folder = std::getenv("VDSIM_MCAP_OUT");
  for (const bool compress : {false, true}) {
    if (compress && !mcap_can_compress()) continue;
    std::string bytes;
    McapWriter::Options options = McapRecorder::options();
    options.compress = compress;
    McapWriter writer([&](std::string_view more) { bytes += more; }, options);
    McapRecorder recorder(writer, scene, {48, 11, 500});
    Sim sim(scene, scene.cars[0]);
    for (int i = 0; i <= 600; ++i) {
      recorder.write(0, sim.time(), sim.signals(), sim.values());
      ASSERT_TRUE(sim.advance(5));
    }
    writer.close();
    EXPECT_EQ(writer.messages(), 601u * 10);  // odom, imu, fix, joints, tf, four wheels, state
    EXPECT_EQ(count(records(bytes), 6), 4);
    EXPECT_EQ(count(records(bytes), 9), 1);
    if (!folder) continue;
    std::filesystem::create_directories(folder);
    McapFile file(std::string(folder) + (compress ? "/zstd.mcap" : "/plain.mcap"), options);
    McapRecorder again(file.writer(), scene, {48, 11, 500});
    Sim twin(scene, scene.cars[0]);
    for (int i = 0; i <= 600; ++i) {
      again.write(0, twin.time(), twin.signals(), twin.values());
      ASSERT_TRUE(twin.advance(5));
    }
    file.close();
    EXPECT_EQ(std::filesystem::file_size(file.path()), bytes.size());
  }
}

}  // namespace
}  // namespace vdsim
