// SPDX-License-Identifier: Apache-2.0
// What the server answers, without sockets. No text of a request becomes a path: assets and results are looked up in tables.
#pragma once
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "vdsim/config/catalog.hpp"
#include "vdsim/study/live/server/guard.hpp"
#include "vdsim/study/live/server/hub.hpp"

namespace vdsim {

struct Request {
  std::string method, target, host, authorization, content_type, body;
  std::string origin;  // "" = not sent
  std::string client;  // address
};
struct Response {
  int status = 200;
  std::string type = "application/json", body;
  std::string policy;  // Content-Security-Policy
};

class Routes {
 public:
  // page: the HTML, or ""; hub: nullptr where the physics runs in the page.
  Routes(const Guard&, std::shared_ptr<const Catalog>, std::string_view page, std::string scene, LiveHub* hub,
         std::string results);

  // What is wrong with a request before its body is read: 0, or the status.
  int refused(const Request&) const;
  Response answer(const Request&, double now);
  bool may_ask(const std::string& client, double now);  // 50 requests a second

  static const char* kPolicy;  // of everything but the page

 private:
  Response asset() const;
  Response config() const;
  Response catalog() const;
  Response schema() const;
  Response results() const;
  Response result(std::string_view path) const;
  Response live(const Request&, std::string_view path, double now);
  Response tire_curves(const Request&) const;
  std::vector<std::string> result_ids() const;

  const Guard& guard_;
  std::shared_ptr<const Catalog> catalog_;
  std::string_view page_;
  std::string page_policy_, scene_;
  LiveHub* hub_;
  std::string results_;
  std::map<std::string, RateLimit> limits_;
};

Response error_response(int status, const std::string& what);

}  // namespace vdsim
