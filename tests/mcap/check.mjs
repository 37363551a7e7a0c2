// SPDX-License-Identifier: Apache-2.0
// Opens recordings with the readers of others (@mcap/core, rosmsg2-serialization): every message of every channel, checked; then the
// same file cut at many places: no crash, and what stands before the cut comes out.
// usage: node check.mjs FILE...
import { readFileSync } from "node:fs";
import { McapIndexedReader, McapStreamReader } from "@mcap/core";
import { parse } from "@foxglove/rosmsg";
import { MessageReader } from "@foxglove/rosmsg2-serialization";
import { decompress } from "fzstd";

const decompressHandlers = { zstd: (bytes, size) => decompress(bytes, new Uint8Array(Number(size))) };
const assert = (holds, what) => {
  if (!holds) throw new Error(what);
};
const near = (a, b, tolerance, what) => assert(Math.abs(a - b) <= tolerance, `${what}: ${a} is not ${b}`);

const types = {
  "/odom": "nav_msgs/msg/Odometry",
  "/imu/data": "sensor_msgs/msg/Imu",
  "/gnss/fix": "sensor_msgs/msg/NavSatFix",
  "/joint_states": "sensor_msgs/msg/JointState",
  "/tf": "tf2_msgs/msg/TFMessage",
};
for (const wheel of ["fl", "fr", "rl", "rr"]) types[`/wheel/${wheel}`] = "geometry_msgs/msg/WrenchStamped";

// What the messages say of one instant is the same car: the JSON has the truth.
function compare(now) {
  const s = now["/vdsim/state"], odom = now["/odom"], imu = now["/imu/data"];
  near(odom.pose.pose.position.x, s.x, 0, "odom x");
  near(odom.twist.twist.linear.x, s.vx, 0, "odom vx");
  near(2 * Math.atan2(odom.pose.pose.orientation.z, odom.pose.pose.orientation.w), s.psi, 1e-12, "yaw");
  near(now["/wheel/rr"].wrench.force.z, s.fz_rr, 0, "fz");
  near(now["/wheel/fl"].wrench.force.x, s.fx_fl, 0, "fx");
  near(now["/joint_states"].velocity[1], s.omega_fr, 0, "spin");
  assert(now["/joint_states"].name.length === 4 && now["/joint_states"].position.length === 4, "joints");
  assert(now["/tf"].transforms.map((t) => t.child_frame_id).join() === "odom,base_link,wheel_fl,wheel_fr,wheel_rl,wheel_rr", "frames");
  const a = imu.linear_acceleration; // a parked car feels g, whatever the slope
  if (Math.abs(s.vx) < 1e-6) near(Math.hypot(a.x, a.y, a.z), 9.80665, 1e-3, "specific force at rest");
  near((now["/gnss/fix"].latitude - 48) * 111200, s.y, 0.01 * Math.abs(s.y) + 1e-3, "north");
}

async function whole(bytes) {
  const readable = {
    size: async () => BigInt(bytes.length),
    read: async (offset, length) => bytes.subarray(Number(offset), Number(offset + length)),
  };
  const reader = await McapIndexedReader.Initialize({ readable, decompressHandlers });
  assert(reader.header.profile === "ros2", "profile");
  const channels = new Map();
  for (const [id, channel] of reader.channelsById) {
    const schema = reader.schemasById.get(channel.schemaId);
    const text = new TextDecoder().decode(schema.data);
    if (channel.messageEncoding === "cdr") {
      assert(schema.encoding === "ros2msg" && types[channel.topic] === schema.name, `${channel.topic}: ${schema.name}`);
      channels.set(id, new MessageReader(parse(text, { ros2: true })));
    } else {
      JSON.parse(text);
      channels.set(id, { readMessage: (data) => JSON.parse(new TextDecoder().decode(data)) });
    }
  }
  let messages = 0, now = {}, last = -1n;
  const counts = new Map();
  for await (const message of reader.readMessages()) {
    assert(message.logTime >= last, "messages in order of time");
    if (message.logTime > last && last >= 0n) {
      compare(now);
      now = {};
    }
    last = message.logTime;
    const topic = reader.channelsById.get(message.channelId).topic;
    now[topic] = channels.get(message.channelId).readMessage(message.data);
    counts.set(message.channelId, (counts.get(message.channelId) ?? 0n) + 1n);
    ++messages;
  }
  assert(BigInt(messages) === reader.statistics.messageCount, "count of the summary");
  for (const [id, n] of reader.statistics.channelMessageCounts) assert(n === (counts.get(id) ?? 0n), "count of a channel");
  let attached = "";
  for await (const each of reader.readAttachments()) {
    assert(each.name === "resolved.yaml", each.name);
    attached = new TextDecoder().decode(each.data);
  }
  assert(attached.includes("fleet:"), "the scene is attached");
  return messages;
}

// Messages that a reader of streams gets before the bytes end; damage is its error, which is told apart from a crash.
function streamed(bytes) {
  const reader = new McapStreamReader({ validateCrcs: true, decompressHandlers });
  let messages = 0;
  reader.append(bytes);
  for (let record; (record = reader.nextRecord()); ) if (record.type === "Message") ++messages;
  return messages;
}

for (const file of process.argv.slice(2)) {
  const bytes = new Uint8Array(readFileSync(file));
  const messages = await whole(bytes);
  assert(streamed(bytes) === messages, "stream and index agree");
  let before = 0, cuts = 0;
  const step = Math.max(1, Math.floor(bytes.length / 80));
  for (let end = 8; end < bytes.length; end += step + (cuts % 7)) {
    const found = streamed(bytes.subarray(0, end));
    assert(found >= before && found <= messages, `cut at ${end}: ${found} messages, ${before} before`);
    before = found;
    ++cuts;
  }
  assert(streamed(bytes.subarray(0, bytes.length - 20)) === messages, "cut in the summary: all messages are there");
  console.log(`${file}: ${messages} messages read by name and type; ${cuts} cuts`);
}
