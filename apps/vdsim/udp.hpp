// SPDX-License-Identifier: Apache-2.0
// Datagrams of this machine: one socket per port that listens, on loopback alone, and one that sends.
#pragma once
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "vdsim/study/live/server/comms.hpp"

namespace vdsim::cli {

class Udp {
 public:
  explicit Udp(const std::vector<std::uint16_t>& ports);  // throws FileError: a port is in use
  ~Udp();
  Udp(const Udp&) = delete;
  Udp& operator=(const Udp&) = delete;

  // Waits for a datagram, at most so long [s], or less where a signal comes.
  void wait(double seconds) const;
  // Whatever has come, each once; at most `most`, so that a flood cannot keep the caller here.
  void receive(int most, const std::function<void(std::string_view)>& take);
  void send(const Address&, std::string_view bytes);  // to a port that nobody reads: no error
  std::uint64_t unsent() const { return unsent_; }    // the system had no room

 private:
  std::vector<int> in_;
  int out_ = -1;
  std::uint64_t unsent_ = 0;
};

}  // namespace vdsim::cli
