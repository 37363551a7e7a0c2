// SPDX-License-Identifier: Apache-2.0
#include "vdsim/study/live/server/routes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "vdsim/config/document.hpp"
#include "vdsim/config/tire_argument.hpp"
#include "vdsim/engine/steady_tire.hpp"
#include "vdsim/formats/shown.hpp"
#include "vdsim/study/run.hpp"

namespace vdsim {
namespace {

using nlohmann::json;
namespace fs = std::filesystem;

constexpr const char* kResultFiles[] = {"run.csv", "summary.json", "report.html", "resolved.yaml"};
constexpr std::uintmax_t kMostResult = 256u << 20;  // [bytes]
constexpr std::size_t kMostResults = 1000;

std::string reply_text(const json& value) { return value.dump(-1, ' ', false, json::error_handler_t::replace); }
Response reply(const json& value) { return {200, "application/json", reply_text(value), Routes::kPolicy}; }

// The page says its policy itself, for file://; frame-ancestors counts in a header alone.
std::string policy_of(std::string_view page) {
  constexpr std::string_view kMeta = "http-equiv=\"Content-Security-Policy\" content=\"";
  const std::size_t at = page.find(kMeta);
  if (at == page.npos) return Routes::kPolicy;
  const std::size_t begin = at + kMeta.size();
  return std::string(page.substr(begin, page.find('"', begin) - begin)) + "; frame-ancestors 'none'";
}

struct Route {
  const char *path, *method;
};
constexpr Route kRoutes[] = {{"/", "GET"},
                             {"/index.html", "GET"},
                             {"/api/config", "GET"},
                             {"/api/catalog", "GET"},
                             {"/api/scene/list", "GET"},
                             {"/api/schema", "GET"},
                             {"/api/results", "GET"},
                             {"/api/state", "GET"},
                             {"/api/stream", "GET"},
                             {"/api/live", "GET"},
                             {"/api/tire/curves", "GET"},
                             {"/api/control", "POST"},
                             {"/api/manual", "POST"},
                             {"/api/set", "POST"}};
constexpr std::string_view kResults = "/api/results/";

const char* method_of(std::string_view path) {
  for (const Route& route : kRoutes)
    if (path == route.path) return route.method;
  return path.starts_with(kResults) ? "GET" : nullptr;
}

}  // namespace

const char* Routes::kPolicy = "default-src 'none'; frame-ancestors 'none'";

Response error_response(int status, const std::string& what) {
  return {status, "application/json", reply_text({{"error", {{"status", status}, {"what", what}}}}), Routes::kPolicy};
}

Routes::Routes(const Guard& guard, std::shared_ptr<const Catalog> catalog, std::string_view page, std::string scene,
               LiveHub* hub, std::string results)
    : guard_(guard),
      catalog_(std::move(catalog)),
      page_(page),
      page_policy_(policy_of(page)),
      scene_(std::move(scene)),
      hub_(hub),
      results_(std::move(results)) {}

int Routes::refused(const Request& in) const {
  if (!guard_.host_is_ours(in.host)) return 421;
  if (!in.origin.empty() && !guard_.origin_is_ours(in.origin)) return 403;
  const std::string_view path = path_of(in.target);
  const char* const method = method_of(path);
  if (!method) return 404;
  const bool head = in.method == "HEAD" && std::string_view(method) == "GET";
  if (in.method != method && !head) return 405;
  if (in.method == "POST" && in.content_type.substr(0, in.content_type.find(';')) != "application/json") return 415;
  // the page itself is no secret; a WebSocket may bring its token in the first message
  if (path.starts_with("/api/") && path != "/api/live" && !guard_.bearer_is_right(in.authorization)) return 401;
  return 0;
}

bool Routes::may_ask(const std::string& client, double now) {
  if (limits_.size() > 1000) limits_.clear();
  return limits_.try_emplace(client, LiveLimits::kRequests).first->second.take(now);
}

Response Routes::answer(const Request& in, double now) {
  const std::string_view path = path_of(in.target);
  if (path == "/" || path == "/index.html") return asset();
  if (path == "/api/config") return config();
  if (path == "/api/catalog") return catalog();
  if (path == "/api/scene/list") return reply(ids_of(catalog_->scenes()));
  if (path == "/api/schema") return schema();
  if (path == "/api/results") return results();
  if (path == "/api/tire/curves") return tire_curves(in);
  if (path.starts_with(kResults)) return result(path.substr(kResults.size()));
  return live(in, path, now);
}

Response Routes::asset() const {
  if (page_.empty())
    return error_response(404, "this program was built without the page; ./vdsim page builds it. The API is at /api");
  return {200, "text/html; charset=utf-8", std::string(page_), page_policy_};
}

Response Routes::config() const {
  json out{{"version", version_text()},
           {"git", git_text()},
           {"scene", scene_},
           {"native", hub_ != nullptr},
           {"page", !page_.empty()}};
  if (hub_) out["session"] = json::parse(hub_->hello_text());
  return reply(out);
}

Response Routes::catalog() const {
  json out;
  const std::pair<const char*, const std::vector<CatalogEntry>*> lists[] = {{"scenes", &catalog_->scenes()},
                                                                            {"vehicles", &catalog_->blueprints()},
                                                                            {"parts", &catalog_->parts()},
                                                                            {"maneuvers", &catalog_->maneuvers()}};
  for (const auto& [name, entries] : lists) {
    out[name] = json::array();
    for (const CatalogEntry& entry : *entries) out[name].push_back({{"id", entry.id}});
  }
  return reply(out);
}

// Every value that can be set, of the scene this server was started with; operations by name.
Response Routes::schema() const {
  json fields = json::array();
  if (!scene_.empty()) {
    const Document scene = Document::load(catalog_, DocumentKind::scene, scene_);
    for (const DocumentField& each : scene.fields()) {
      json one{{"path", each.path},
               {"unit", each.field.unit},
               {"meaning", each.field.meaning},
               {"kind", enum_name(each.kind)},
               {"default", each.initial}};
      if (each.kind == DocumentField::Kind::number) one["lo"] = each.field.range.lo, one["hi"] = each.field.range.hi;
      if (each.kind == DocumentField::Kind::choice) one["choices"] = each.field.choices();
      fields.push_back(std::move(one));
    }
  }
  return reply({{"schema", "vdsim.live.v1"},
                {"ops", {"cmd", "subscribe", "set", "control", "take", "release"}},
                {"protocols", EnumNames<LiveProtocol>::names},
                {"fields", std::move(fields)}});
}

std::vector<std::string> Routes::result_ids() const {
  std::vector<std::string> out;
  std::error_code none;
  for (fs::directory_iterator it(results_, none), end; it != end && out.size() < kMostResults; it.increment(none)) {
    const std::string name = it->path().filename().string();
    if (good_name(name) && !name.starts_with('.') && fs::is_regular_file(it->path() / "summary.json", none))
      out.push_back(name);
  }
  std::sort(out.begin(), out.end());
  return out;
}
Response Routes::results() const {
  json out = json::array();
  for (const std::string& id : result_ids()) {
    json files = json::array();
    std::error_code none;
    for (const char* name : kResultFiles)
      if (fs::is_regular_file(fs::path(results_) / id / name, none)) files.push_back(name);
    out.push_back({{"id", id}, {"files", std::move(files)}});
  }
  return reply(out);
}
Response Routes::result(std::string_view path) const {
  const std::size_t slash = path.find('/');
  const std::string wanted(path.substr(0, slash));
  const std::string_view file = slash == path.npos ? "" : path.substr(slash + 1);
  const auto name =
      std::find_if(std::begin(kResultFiles), std::end(kResultFiles), [&](const char* n) { return file == n; });
  const std::vector<std::string> ids = result_ids();
  const auto id = std::find(ids.begin(), ids.end(), wanted);
  if (id == ids.end() || name == std::end(kResultFiles)) return error_response(404, "no such result");
  std::error_code fault;
  const fs::path root = fs::canonical(results_, fault), full = fs::canonical(fs::path(results_) / *id / *name, fault);
  if (fault || full.parent_path().parent_path() != root) return error_response(404, "no such result");
  if (fs::file_size(full, fault) > kMostResult || fault) return error_response(413, "this result is too large");
  std::ifstream in(full, std::ios::binary);
  std::string text(std::istreambuf_iterator<char>(in), {});
  const bool page = std::string_view(*name) == "report.html";
  return {200,
          page                                        ? "text/html; charset=utf-8"
          : std::string_view(*name) == "summary.json" ? "application/json"
                                                      : "text/plain; charset=utf-8",
          std::move(text), page ? "sandbox allow-scripts; frame-ancestors 'none'" : kPolicy};
}

Response Routes::live(const Request& in, std::string_view path, double now) {
  if (!hub_) return error_response(409, "this server was started without --native: the page computes by itself");
  if (path == "/api/state") return {200, "application/json", hub_->state_text(), kPolicy};
  if (path == "/api/live") return error_response(426, "this is a WebSocket");
  if (json_depth(in.body) > LiveLimits::kDepth) return error_response(400, "nested too deep");
  json body = json::parse(in.body, nullptr, false);
  if (!body.is_object()) return error_response(400, "expected a JSON object");
  body["op"] = path == "/api/control" ? "control" : path == "/api/set" ? "set" : "cmd";
  const auto [obeyed, text] = hub_->ask(reply_text(body), now);
  return {obeyed ? 200 : 400, "application/json", text, kPolicy};
}

// ?tire=tire.sport_grip&what=kappa|alpha&fz=4000&mu=1: the steady law, 101 points
Response Routes::tire_curves(const Request& in) const {
  const std::string id = query_value(in.target, "tire"), what = query_value(in.target, "what");
  const std::vector<std::string> known = ids_of(catalog_->parts(), "tire.");
  if (std::find(known.begin(), known.end(), id) == known.end())
    return error_response(404, "no tire '" + printable(id) + "'" + suggestion(id, known));
  const auto number = [&](const char* key, double otherwise) {
    const std::string text = query_value(in.target, key);
    if (text.empty()) return otherwise;
    char* end = nullptr;
    const double value = std::strtod(text.c_str(), &end);
    return *end == '\0' ? value : -1;
  };
  SteadyPoint point;
  point.fz = number("fz", 4000), point.mu = number("mu", 1);
  if (!(point.fz > 0 && point.fz <= 1e5 && point.mu > 0 && point.mu <= 2))
    return error_response(400, "fz: 0 to 100000 N, mu: 0 to 2");
  Errors errors;
  const auto tire = load_tire(*catalog_, {id, "", {}}, errors);
  if (!tire) return error_response(400, errors.lines().empty() ? "no tire" : errors.lines()[0]);
  const SteadyTire law(*tire);
  json out{
      {"tire", id},           {"fz", point.fz}, {"mu", point.mu}, {"columns", law.columns()}, {"slip", json::array()},
      {"rows", json::array()}};
  for (int i = -50; i <= 50; ++i) {
    (what == "alpha" ? point.alpha : point.kappa) = 0.006 * i;
    out["slip"].push_back(0.006 * i), out["rows"].push_back(law(point));
  }
  return reply(out);
}

}  // namespace vdsim
