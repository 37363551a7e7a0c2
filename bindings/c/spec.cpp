// SPDX-License-Identifier: Apache-2.0
#include "bindings/c/spec.hpp"

#if !defined(_WIN32)
#include <dlfcn.h>
#endif
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>

#include "vdsim/engine/step_limit.hpp"

using namespace vdsim;
using namespace vdsim::c;

namespace {

DocumentKind kind_of(int kind) {
  if (kind < 0 || kind >= static_cast<int>(EnumNames<DocumentKind>::names.size()))
    throw Misuse("kind is " + std::to_string(kind) + ": expected VDSIM_PART, VDSIM_VEHICLE or VDSIM_SCENE");
  return static_cast<DocumentKind>(kind);
}

const std::vector<CatalogEntry>& entries(const Catalog& catalog, DocumentKind kind) {
  if (kind == DocumentKind::part) return catalog.parts();
  return kind == DocumentKind::vehicle ? catalog.blueprints() : catalog.scenes();
}

const Document& document(const vdsim_spec* spec) { return need(spec, "spec").document; }

std::string lines(const std::vector<std::string>& all) {
  std::string out;
  for (const std::string& line : all) out += (out.empty() ? "" : "\n") + line;
  return out;
}

// The catalog that was installed with this library, wherever the prefix lies; else as the command line finds it.
std::string usual_folder() {
#if !defined(_WIN32)
  namespace fs = std::filesystem;
  const char* named = std::getenv("VDSIM_CONFIGS");
  Dl_info library{};
  if (!(named && *named) && dladdr(reinterpret_cast<const void*>(&vdsim_catalog_open), &library) && library.dli_fname) {
    std::error_code ec;
    const fs::path file = fs::canonical(library.dli_fname, ec);
    fs::path prefix = file.parent_path();
    for (int up = 0; up < 3 && prefix.has_relative_path(); ++up) {  // lib, lib/x86_64-linux-gnu
      prefix = prefix.parent_path();
      const fs::path folder = prefix / "share" / "vdsim" / "configs";
      if (fs::is_directory(folder, ec)) return folder.string();
    }
  }
#endif
  return Catalog::default_folder();
}

}  // namespace

int vdsim_catalog_open(const char* folder, vdsim_catalog** out) {
  return call([&] {
    need(out, "out");
    *out = new vdsim_catalog{std::make_shared<const Catalog>(folder ? folder : usual_folder())};
  });
}
int vdsim_catalog_ids(const vdsim_catalog* c, int kind, char* buf, size_t cap, size_t* size) {
  return call([&] { put_text(lines(ids_of(entries(*need(c, "catalog").catalog, kind_of(kind)))), buf, cap, size); });
}
void vdsim_catalog_close(vdsim_catalog* c) { delete c; }

int vdsim_spec_load(const vdsim_catalog* c, int kind, const char* name, vdsim_spec** out) {
  return call([&] {
    need(out, "out");
    *out = new vdsim_spec{Document::load(need(c, "catalog").catalog, kind_of(kind), &need(name, "id_or_file"))};
  });
}
int vdsim_spec_read(const vdsim_catalog* c, int kind, const char* text, size_t len, const char* folder,
                    vdsim_spec** out) {
  return call([&] {
    need(out, "out");
    const std::string_view yaml(&need(text, "text"), len);
    *out = new vdsim_spec{Document::read(need(c, "catalog").catalog, kind_of(kind), yaml, folder ? folder : "")};
  });
}
int vdsim_spec_set(vdsim_spec* s, const char* path, const char* text) {
  return call([&] { need(s, "spec").document.set(&need(path, "path"), &need(text, "text")); });
}
int vdsim_spec_set_number(vdsim_spec* s, const char* path, double value) {
  return call([&] {
    need(path, "path");
    if (!std::isfinite(value)) throw bad_value(path, "expected a finite number, found " + number_text(value));
    need(s, "spec").document.set(path, number_text(value));
  });
}
int vdsim_spec_set_list(vdsim_spec* s, const char* path, const double* values, size_t count) {
  return call([&] {
    std::string text = "[";
    for (std::size_t i = 0; i < count; ++i)
      text += (i ? ", " : "") + number_text((&need(values, "values"))[i]);  // "nan" is refused by the reader
    need(s, "spec").document.set(&need(path, "path"), text + "]");
  });
}
int vdsim_spec_get(const vdsim_spec* s, const char* path, char* buf, size_t cap, size_t* size) {
  return call([&] { put_text(document(s).get(&need(path, "path")), buf, cap, size); });
}
int vdsim_spec_get_number(const vdsim_spec* s, const char* path, double* value) {
  return call([&] { need(value, "value") = document(s).number(&need(path, "path")); });
}
int vdsim_spec_get_list(const vdsim_spec* s, const char* path, double* values, size_t cap, size_t* size) {
  return call([&] {
    const std::vector<double> list = document(s).list(&need(path, "path"));
    check_room(list.size(), values, cap, size, "numbers");
    if (values) std::copy(list.begin(), list.end(), values);
  });
}
int vdsim_spec_text(const vdsim_spec* s, char* buf, size_t cap, size_t* size) {
  return call([&] { put_text(document(s).text(), buf, cap, size); });
}
int vdsim_spec_hash(const vdsim_spec* s, char* buf, size_t cap, size_t* size) {
  return call([&] { put_text(document(s).hash(), buf, cap, size); });
}
int vdsim_spec_notes(const vdsim_spec* s, char* buf, size_t cap, size_t* size) {
  return call([&] {
    std::vector<std::string> all;
    if (const Scenario* scene = document(s).scene()) {
      all = scene->warnings;
      all.insert(all.end(), scene->notes.begin(), scene->notes.end());
      if (const SolverSpec& solver = scene->solver; is_doubtful_step(solver.integrator, solver.dt))
        all.push_back("solver.dt: `vdsim run` holds steps of " + number_text(solver.dt) + " s with " +
                      enum_name(solver.integrator) + " against finer ones, a sim does not: do so yourself");
    }
    put_text(lines(all), buf, cap, size);
  });
}
int vdsim_spec_copy(const vdsim_spec* s, vdsim_spec** out) {
  return call([&] {
    need(out, "out");
    *out = new vdsim_spec{document(s)};
  });
}
void vdsim_spec_free(vdsim_spec* s) { delete s; }

int vdsim_field_count(const vdsim_spec* s, size_t* count) {
  return call([&] { need(count, "count") = document(s).fields().size(); });
}
int vdsim_field(const vdsim_spec* s, size_t i, vdsim_field_info* out) {
  return call([&] {
    const std::vector<DocumentField>& fields = document(s).fields();
    if (i >= fields.size())
      throw Misuse("field " + std::to_string(i) + " of " + std::to_string(fields.size()) + ": they count from 0");
    const DocumentField& row = fields[i];
    const FieldRef& f = row.field;
    give({0, static_cast<std::uint32_t>(f.names.size()), row.path.c_str(), f.unit, f.meaning,
          EnumNames<DocumentField::Kind>::names[static_cast<std::size_t>(row.kind)], row.initial.c_str(), f.range.lo,
          f.range.hi, f.range.lo_open, f.range.hi_open, f.names.data()},
         out, "out");
  });
}
