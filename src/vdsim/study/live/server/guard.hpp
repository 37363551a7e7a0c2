// SPDX-License-Identifier: Apache-2.0
// Who may speak to the server: a page of its own, or a program of this machine. Against pages of others in the same browser (Origin),
// names that point here (DNS rebinding: Host) and, beyond loopback, everybody without the token.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>

namespace vdsim {

class Guard {
 public:
  // Loopback needs no token; another address makes one of 128 bits.
  Guard(std::string bind, std::uint16_t port);
  bool needs_token() const { return !token_.empty(); }
  const std::string& token() const { return token_; }
  std::string url() const;  // with the token in its fragment, which browsers do not send

  bool host_is_ours(std::string_view host) const;
  bool origin_is_ours(std::string_view origin) const;  // as sent: "null" and https are not
  bool token_is_right(std::string_view token) const;   // in a time that does not depend on where it differs
  bool bearer_is_right(std::string_view authorization) const;

 private:
  std::string bind_, token_;
  std::uint16_t port_;
  bool loopback_;
};

bool is_loopback(const std::string& ip);

// A path of a request: "/api/state?x=1" -> "/api/state". Percent signs are not decoded: no path of ours has one.
std::string_view path_of(std::string_view target);
std::string query_value(std::string_view target, std::string_view key);  // letters, digits, '_', '-', '.' only; else ""

}  // namespace vdsim
