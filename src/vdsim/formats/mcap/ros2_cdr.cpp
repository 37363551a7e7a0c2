// SPDX-License-Identifier: Apache-2.0
#include "vdsim/formats/mcap/ros2_cdr.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>

#include "vdsim/formats/little_endian.hpp"

namespace vdsim::ros2 {
namespace {

// Numbers stand at multiples of their size, counted from behind the first four bytes.
class Cdr {
 public:
  template <class T> Cdr& number(T value) {
    while ((out_.size() - kEncapsulation) % sizeof(T) != 0) out_.push_back('\0');
    put_le(out_, value);
    return *this;
  }
  Cdr& text(std::string_view value) {
    number(static_cast<std::uint32_t>(value.size() + 1));
    out_ += value;
    out_.push_back('\0');
    return *this;
  }
  Cdr& vector(const Vector3& v) { return number(v.x).number(v.y).number(v.z); }
  Cdr& quaternion(const Quaternion& q) { return number(q.x).number(q.y).number(q.z).number(q.w); }
  Cdr& zeros(int count) {
    for (int i = 0; i < count; ++i) number(0.0);
    return *this;
  }
  Cdr& covariance(double first) { return number(first).zeros(8); }
  Cdr& numbers(const std::vector<double>& values) {
    number(static_cast<std::uint32_t>(values.size()));
    for (const double x : values) number(x);
    return *this;
  }
  Cdr& header(const Header& h) {
    constexpr std::uint64_t kSecond = 1'000'000'000;
    number(static_cast<std::int32_t>(h.time / kSecond)).number(static_cast<std::uint32_t>(h.time % kSecond));
    return text(h.frame_id);
  }
  std::string take() { return std::move(out_); }

 private:
  static constexpr std::size_t kEncapsulation = 4;
  std::string out_{'\0', '\1', '\0', '\0'};  // plain CDR, little endian
};

constexpr double kUnknown = -1;  // first element of a covariance: the value itself is not known

struct Definition {
  const char *type, *text;
};
constexpr Definition kDefinitions[] = {
    {"builtin_interfaces/Time", "int32 sec\nuint32 nanosec\n"},
    {"std_msgs/Header", "builtin_interfaces/Time stamp\nstring frame_id\n"},
    {"geometry_msgs/Vector3", "float64 x\nfloat64 y\nfloat64 z\n"},
    {"geometry_msgs/Point", "float64 x\nfloat64 y\nfloat64 z\n"},
    {"geometry_msgs/Quaternion", "float64 x 0\nfloat64 y 0\nfloat64 z 0\nfloat64 w 1\n"},
    {"geometry_msgs/Pose", "geometry_msgs/Point position\ngeometry_msgs/Quaternion orientation\n"},
    {"geometry_msgs/PoseWithCovariance", "geometry_msgs/Pose pose\nfloat64[36] covariance\n"},
    {"geometry_msgs/Twist", "geometry_msgs/Vector3 linear\ngeometry_msgs/Vector3 angular\n"},
    {"geometry_msgs/TwistWithCovariance", "geometry_msgs/Twist twist\nfloat64[36] covariance\n"},
    {"geometry_msgs/Transform", "geometry_msgs/Vector3 translation\ngeometry_msgs/Quaternion rotation\n"},
    {"geometry_msgs/TransformStamped",
     "std_msgs/Header header\nstring child_frame_id\ngeometry_msgs/Transform transform\n"},
    {"geometry_msgs/Wrench", "geometry_msgs/Vector3 force\ngeometry_msgs/Vector3 torque\n"},
    {"geometry_msgs/WrenchStamped", "std_msgs/Header header\ngeometry_msgs/Wrench wrench\n"},
    {"nav_msgs/Odometry",
     "std_msgs/Header header\nstring child_frame_id\ngeometry_msgs/PoseWithCovariance pose\n"
     "geometry_msgs/TwistWithCovariance twist\n"},
    {"sensor_msgs/Imu",
     "std_msgs/Header header\ngeometry_msgs/Quaternion orientation\nfloat64[9] orientation_covariance\n"
     "geometry_msgs/Vector3 angular_velocity\nfloat64[9] angular_velocity_covariance\n"
     "geometry_msgs/Vector3 linear_acceleration\nfloat64[9] linear_acceleration_covariance\n"},
    {"sensor_msgs/NavSatStatus",
     "int8 STATUS_NO_FIX=-1\nint8 STATUS_FIX=0\nint8 STATUS_SBAS_FIX=1\nint8 STATUS_GBAS_FIX=2\nint8 status\n"
     "uint16 SERVICE_GPS=1\nuint16 SERVICE_GLONASS=2\nuint16 SERVICE_COMPASS=4\nuint16 SERVICE_GALILEO=8\n"
     "uint16 service\n"},
    {"sensor_msgs/NavSatFix",
     "std_msgs/Header header\nsensor_msgs/NavSatStatus status\nfloat64 latitude\nfloat64 longitude\nfloat64 altitude\n"
     "float64[9] position_covariance\nuint8 COVARIANCE_TYPE_UNKNOWN=0\nuint8 COVARIANCE_TYPE_APPROXIMATED=1\n"
     "uint8 COVARIANCE_TYPE_DIAGONAL_KNOWN=2\nuint8 COVARIANCE_TYPE_KNOWN=3\nuint8 position_covariance_type\n"},
    {"sensor_msgs/JointState",
     "std_msgs/Header header\nstring[] name\nfloat64[] position\nfloat64[] velocity\nfloat64[] effort\n"},
    {"tf2_msgs/TFMessage", "geometry_msgs/TransformStamped[] transforms\n"},
};

const char* text_of(std::string_view type) {
  for (const Definition& each : kDefinitions)
    if (each.type == type) return each.text;
  return nullptr;
}

// Types that the fields of a definition have, in the order they are met.
void gather(std::string_view text, std::vector<std::string_view>& types) {
  while (!text.empty()) {
    std::string_view type = text.substr(0, text.find_first_of(" ["));
    if (type.find('/') != type.npos && std::find(types.begin(), types.end(), type) == types.end()) {
      types.push_back(type);
      gather(text_of(type), types);
    }
    text.remove_prefix(text.find('\n') + 1);
  }
}

}  // namespace

Quaternion turned(double roll, double pitch, double yaw) {
  const double a = std::cos(roll / 2), b = std::sin(roll / 2), c = std::cos(pitch / 2), d = std::sin(pitch / 2),
               e = std::cos(yaw / 2), f = std::sin(yaw / 2);
  return {b * c * e - a * d * f, a * d * e + b * c * f, a * c * f - b * d * e, a * c * e + b * d * f};
}

std::string cdr(const Odometry& m) {
  Cdr out;
  out.header(m.header).text(m.child_frame_id);
  out.vector(m.position).quaternion(m.orientation).zeros(36);
  return out.vector(m.linear).vector(m.angular).zeros(36).take();
}
std::string cdr(const Imu& m) {
  Cdr out;
  out.header(m.header).quaternion(m.orientation).covariance(m.knows_orientation ? 0 : kUnknown);
  return out.vector(m.angular_velocity).covariance(0).vector(m.linear_acceleration).covariance(0).take();
}
std::string cdr(const NavSatFix& m) {
  Cdr out;
  out.header(m.header).number(std::int8_t{0}).number(std::uint16_t{1});
  out.number(m.latitude).number(m.longitude).number(m.altitude).zeros(9);
  return out.number(std::uint8_t{0}).take();
}
std::string cdr(const JointState& m) {
  Cdr out;
  out.header(m.header).number(static_cast<std::uint32_t>(m.name.size()));
  for (const std::string& name : m.name) out.text(name);
  return out.numbers(m.position).numbers(m.velocity).numbers(m.effort).take();
}
std::string cdr(const TFMessage& m) {
  Cdr out;
  out.number(static_cast<std::uint32_t>(m.transforms.size()));
  for (const TransformStamped& each : m.transforms)
    out.header(each.header).text(each.child_frame_id).vector(each.translation).quaternion(each.rotation);
  return out.take();
}
std::string cdr(const WrenchStamped& m) {
  Cdr out;
  return out.header(m.header).vector(m.force).vector(m.torque).take();
}

std::string definition(std::string_view type) {
  const std::size_t slash = type.find('/'), last = type.rfind('/');
  const std::string shortened = std::string(type.substr(0, slash)) + std::string(type.substr(last));
  const char* const own = text_of(shortened);
  assert(own);
  std::vector<std::string_view> types;
  gather(own, types);
  std::string out = own;
  for (const std::string_view each : types)
    out += std::string(80, '=') + "\nMSG: " + std::string(each) + "\n" + text_of(each);
  return out;
}

}  // namespace vdsim::ros2
