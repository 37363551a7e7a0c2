// SPDX-License-Identifier: Apache-2.0
// What hosts of a live session do, without sockets: commands that grow old, lockstep, queues, roles, guards. The rest: page_server.py.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "vdsim/config/catalog.hpp"
#include "vdsim/study/live/server/guard.hpp"
#include "vdsim/study/live/server/hub.hpp"

namespace vdsim {
namespace {

using nlohmann::json;

std::shared_ptr<const Catalog> catalog() {
  static const auto made = std::make_shared<const Catalog>(VDSIM_SOURCE_DIR "/configs");
  return made;
}
Scenario scene(const char* id = "lugre_grade_demo") { return load_scene(*catalog(), id); }

// Everything that waits for a client, as JSON.
std::vector<json> drained(LiveHub& hub, LiveHub::Client client) {
  std::vector<json> out;
  while (const auto message = hub.next(client))
    if (!message->binary) out.push_back(json::parse(message->data));
  return out;
}
int count(const std::vector<json>& all, const std::string& op) {
  return static_cast<int>(std::count_if(all.begin(), all.end(), [&](const json& each) { return each["op"] == op; }));
}

TEST(LiveHost, ASilentClientBrakes) {  // cmd_timeout 0.1 s: 20 ticks of 5 ms, the brake in the one after
  LiveHost host(catalog(), scene());
  Demand demand;
  demand.direct.throttle = 0.5, demand.direct.steer = 0.125;
  host.command(0, demand, 1);
  for (int i = 0; i < 20; ++i) {
    ASSERT_TRUE(host.tick());
    EXPECT_FALSE(host.stale(0)) << i;
    EXPECT_EQ(host.state(0).body.throttle_applied, 0.5) << i;
  }
  host.tick(), host.tick();
  EXPECT_TRUE(host.stale(0));
  EXPECT_EQ(host.state(0).body.throttle_applied, 0);
  EXPECT_NEAR(host.state(0).body.brake_applied, 0.3, 1.0 / 8192);  // as commands are rounded
  EXPECT_EQ(host.state(0).body.steer_applied, 0.125);
  host.command(0, demand, 2);
  host.tick();
  EXPECT_FALSE(host.stale(0));
  EXPECT_EQ(host.state(0).body.throttle_applied, 0.5);
}

TEST(LiveHost, RefusesARateThatIsNoMultipleOfTheStep) {
  Scenario odd = scene();
  odd.timing.rate = 300;
  EXPECT_THROW(LiveHost(catalog(), odd), BadInput);
}

TEST(LiveHost, StatesInBodyAxes) {  // the forces of the wheels add up to mass times acceleration on a level road
  Scenario flat = load_scene(*catalog(), "step_steer");
  LiveHost host(catalog(), flat);
  Demand demand;
  demand.direct.steer = 0.125;
  for (int i = 0; i < 200; ++i) host.command(0, demand, 0), host.tick();
  const StateBody s = host.state(0).body;
  double fy = 0;
  for (int i = 0; i < 4; ++i) fy += s.fy[i];
  EXPECT_GT(std::abs(s.acceleration[1]), 1);
  // tolerance: tires with forces in their own axes would be wrong by 1 - cos(0.125) and by fx sin(0.125), about 1 %
  EXPECT_NEAR(fy / (flat.cars[0].vehicle.chassis.mass * s.acceleration[1]), 1, 1e-6);
}

TEST(LiveHub, ASlowClientLosesOldStatesAndNoEvent) {
  LiveHost host(catalog(), scene());
  LiveHub hub(host, 0, "/nonexistent");
  const LiveHub::Client slow = hub.join(LiveProtocol::json, "", 0);
  EXPECT_EQ(drained(hub, slow).at(0)["op"], "hello");
  hub.receive(slow, R"({"op":"subscribe","signals":["t"],"rate":200})", false, 0);
  for (int i = 1; i <= 100; ++i) hub.run(0.005 * i + 1e-6);
  auto all = drained(hub, slow);
  ASSERT_EQ(count(all, "state"), 2);
  EXPECT_NEAR(all.back()["t"].get<double>(), 0.5, 1e-9);
  hub.run(1.6);
  all = drained(hub, slow);
  ASSERT_EQ(count(all, "status"), 1);
  EXPECT_GE(all[0]["dropped"].get<int>(), 98);
  EXPECT_FALSE(hub.closing(slow));
  for (int i = 0; i < 300; ++i) hub.receive(slow, "x", false, 2 + i);  // 300 errors that it does not take
  ASSERT_TRUE(hub.closing(slow));
  EXPECT_EQ(hub.closing(slow)->code, 1013);
}

TEST(LiveHub, TooMuchIsClosed) {
  LiveHost host(catalog(), scene());
  LiveHub hub(host, 0, "/nonexistent");
  const LiveHub::Client a = hub.join(LiveProtocol::json, "", 0);
  for (int i = 0; i < 500; ++i) hub.receive(a, R"({"op":"cmd","throttle":0.1})", false, 0);
  EXPECT_FALSE(hub.closing(a));
  hub.receive(a, R"({"op":"cmd","throttle":0.1})", false, 0);
  EXPECT_EQ(hub.closing(a)->code, 1008);
  const LiveHub::Client b = hub.join(LiveProtocol::json, "", 100);
  hub.leave(a, 100);
  hub.receive(b, R"({"op":"take"})", false, 131);  // 30 s after a left it drives no more
  hub.run(131);
  for (int i = 0; i < 21; ++i) hub.receive(b, R"({"op":"set","path":"mu","value":0.5})", false, 131);
  EXPECT_EQ(hub.closing(b)->code, 1008);
}

TEST(LiveHub, OneDrivesTheOthersWatch) {
  LiveHost host(catalog(), scene("two_vehicle_race"));
  LiveHub hub(host, 0, "/nonexistent");
  const LiveHub::Client a = hub.join(LiveProtocol::json, "", 0), b = hub.join(LiveProtocol::json, "", 0);
  const std::string resume = drained(hub, a).at(0)["resume"];
  hub.receive(a, R"({"op":"cmd","car":0,"throttle":0.5})", false, 0);
  hub.receive(b, R"({"op":"cmd","car":0,"throttle":0.25,"seq":4})", false, 0);
  hub.receive(b, R"({"op":"cmd","car":1,"throttle":0.75})", false, 0);
  hub.run(0.0051);
  EXPECT_EQ(host.state(0).body.throttle_applied, 0.5);
  EXPECT_EQ(host.state(1).body.throttle_applied, 0.75);
  EXPECT_EQ(count(drained(hub, b), "error"), 1);
  hub.leave(a, 1);
  EXPECT_EQ(hub.join(LiveProtocol::json, "another", 2), 3u);
  EXPECT_EQ(hub.join(LiveProtocol::json, resume, 30.9), a);  // within 30 s
  EXPECT_EQ(drained(hub, a).at(0)["role"], "driver");
}

TEST(LiveHub, ClientsNameNoFiles) {
  LiveHost host(catalog(), scene());
  LiveHub hub(host, 0, "/nonexistent");
  for (const char* value : {"/etc/passwd", "x.yaml", "../x.tir"})
    EXPECT_FALSE(hub.ask(json{{"op", "set"}, {"path", "tire"}, {"value", value}}.dump(), 0).first) << value;
  EXPECT_TRUE(hub.ask(R"({"op":"set","path":"tire.lugre.enabled","value":false})", 0).first);
}

TEST(Guard, OursAndForeign) {
  const Guard here("127.0.0.1", 8100);
  EXPECT_FALSE(here.needs_token());
  for (const char* host : {"127.0.0.1:8100", "localhost:8100"}) {
    EXPECT_TRUE(here.host_is_ours(host)) << host;
    EXPECT_TRUE(here.origin_is_ours(std::string("http://") + host)) << host;
  }
  for (const char* host : {"", "127.0.0.1", "localhost", "127.0.0.1:81", "evil:8100", "127.0.0.1.evil:8100",
                           "evil@127.0.0.1:8100", "10.0.0.1:8100", "127.0.0.1:8100 ", "127.1:8100"})
    EXPECT_FALSE(here.host_is_ours(host)) << host;
  for (const char* origin :
       {"null", "", "https://127.0.0.1:8100", "127.0.0.1:8100", "http://127.0.0.1:8100/", "file://"})
    EXPECT_FALSE(here.origin_is_ours(origin)) << origin;
  const Guard wide("0.0.0.0", 8100);
  EXPECT_EQ(wide.token().size(), 32u);
  EXPECT_TRUE(wide.host_is_ours("10.0.0.1:8100"));
  EXPECT_FALSE(wide.host_is_ours("evil.example:8100"));
  EXPECT_TRUE(wide.bearer_is_right("Bearer " + wide.token()));
  EXPECT_FALSE(wide.bearer_is_right("Bearer " + wide.token().substr(1)));
  EXPECT_FALSE(wide.bearer_is_right(wide.token()));
  EXPECT_NE(wide.token(), Guard("0.0.0.0", 8100).token());
}

TEST(Guard, WordsOfATarget) {
  EXPECT_EQ(path_of("/api/state?x=/../y"), "/api/state");
  EXPECT_EQ(query_value("/a?tire=tire.x&fz=4", "fz"), "4");
  EXPECT_EQ(query_value("/a?tire=../x", "tire"), "");
  EXPECT_EQ(query_value("/a?xfz=1", "fz"), "");
  EXPECT_EQ(json_depth(R"({"a":"[[[","b":[{"c":"\"[["}]})"), 3);
}

}  // namespace
}  // namespace vdsim
