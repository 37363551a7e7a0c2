// SPDX-License-Identifier: Apache-2.0
#include "vdsim/study/live/server/guard.hpp"

#include <fmt/format.h>

#include <random>

#include "vdsim/config/read.hpp"
#include "vdsim/study/live/server/comms.hpp"

namespace vdsim {

bool is_loopback(const std::string& ip) { return is_ip(ip) && ip.starts_with("127."); }

Guard::Guard(std::string bind, std::uint16_t port)
    : bind_(std::move(bind)), port_(port), loopback_(is_loopback(bind_)) {
  if (loopback_) return;
  std::random_device device;
  for (int i = 0; i < 4; ++i) token_ += fmt::format("{:08x}", device());
}

std::string Guard::url() const {
  return fmt::format("http://{}:{}/{}", bind_ == "0.0.0.0" ? "127.0.0.1" : bind_, port_,
                     token_.empty() ? "" : "#token=" + token_);
}

bool Guard::host_is_ours(std::string_view host) const {
  const std::size_t colon = host.rfind(':');
  const std::string name(host.substr(0, colon));
  const std::string_view port = colon == host.npos ? "80" : host.substr(colon + 1);
  if (port != std::to_string(port_)) return false;
  if (name == "localhost" || name == bind_ || is_loopback(name)) return true;
  return bind_ == "0.0.0.0" && is_ip(name);  // whichever of its addresses: a number cannot be rebound
}

bool Guard::origin_is_ours(std::string_view origin) const {
  constexpr std::string_view kScheme = "http://";
  return origin.starts_with(kScheme) && host_is_ours(origin.substr(kScheme.size()));
}

bool Guard::token_is_right(std::string_view token) const {
  if (token_.empty()) return true;
  if (token.size() != token_.size()) return false;
  unsigned differs = 0;
  for (std::size_t i = 0; i < token.size(); ++i)
    differs |= static_cast<unsigned>(static_cast<unsigned char>(token[i]) ^ static_cast<unsigned char>(token_[i]));
  return differs == 0;
}
bool Guard::bearer_is_right(std::string_view authorization) const {
  constexpr std::string_view kBearer = "Bearer ";
  return token_.empty() || (authorization.starts_with(kBearer) && token_is_right(authorization.substr(kBearer.size())));
}

std::string_view path_of(std::string_view target) { return target.substr(0, target.find_first_of("?#")); }

std::string query_value(std::string_view target, std::string_view key) {
  std::size_t at = target.find('?');
  while (at != target.npos) {
    const std::size_t end = std::min(target.find('&', at + 1), target.size());
    const std::string_view pair = target.substr(at + 1, end - at - 1);
    if (pair.size() > key.size() && pair.starts_with(key) && pair[key.size()] == '=') {
      const std::string value(pair.substr(key.size() + 1));
      return good_name(value) ? value : "";
    }
    at = end == target.size() ? target.npos : end;
  }
  return {};
}

}  // namespace vdsim
