// SPDX-License-Identifier: Apache-2.0
// The catalog: parts by id, blueprints that combine parts, scenes. A path to a YAML file may stand for any id.
#pragma once
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "vdsim/config/read.hpp"
#include "vdsim/core/vehicle/spec.hpp"

namespace vdsim {

struct CatalogEntry {
  std::string id, path;
};

class Catalog {
 public:
  Catalog();                                    // an empty one: a document that names everything itself
  explicit Catalog(const std::string& folder);  // reads folder/catalog/manifest.yaml; throws BadInput
  // $VDSIM_CONFIGS; or share/vdsim/configs beside the folder of the program; or configs/ of the source tree; or
  // share/vdsim/configs of the prefix this was built for
  static std::string default_folder();

  const std::vector<CatalogEntry>& parts() const { return parts_; }
  const std::vector<CatalogEntry>& blueprints() const { return blueprints_; }
  const std::vector<CatalogEntry>& scenes() const { return scenes_; }
  const std::vector<CatalogEntry>& maneuvers() const { return maneuvers_; }
  const std::string& folder() const { return folder_; }
  // What was read so far, of the catalog and beside it. A file that changes later is seen by a new catalog only.
  Files& files() const { return *files_; }

 private:
  std::string folder_;
  std::shared_ptr<Files> files_;
  std::vector<CatalogEntry> parts_, blueprints_, scenes_, maneuvers_;
};

// One kind of part; only the block named by `type` counts.
struct Part {
  std::string id, type, schema, label;
  int version = 1;
  std::vector<std::string> tags;
  ChassisSpec chassis;
  TireSpec tire;
  BrakeSpec brake;
  SteeringSpec steering;
  DrivetrainSpec drivetrain;
  SurfaceSpec surface;
  PowertrainSpec powertrain;
  ControlSpec control;
  ActuatorSpec actuator;
  SensorSuiteSpec sensors;
  std::string file;
  YamlNode written;  // the keys that its file names
  std::vector<FieldRef> body();
};

// A kind of part; tires come in several schemas, one entry each.
struct PartType {
  const char *name, *schema, *title;
  std::vector<std::string> later;  // known keys whose level or model does not exist yet
};
const std::vector<PartType>& part_types();
void set_type(Part&, const PartType&);       // its name and schema
std::vector<std::string> part_type_names();  // each once

// What names a part, blueprint or scene: an id of the catalog, or a file relative to `folder`.
struct Reference {
  std::string name, folder;  // folder: of the file that names it
  Place place;               // where it is named
  std::string path;          // key path there, for messages
};
bool names_file(const std::string& reference);
bool names_tir(const std::string& name);  // ends with .tir, in any case
// The file behind a reference; an unknown id is an error with the nearest one.
std::optional<std::string> locate(const Reference&, const std::vector<CatalogEntry>&, const char* noun, Errors&);

// One part file, or its text.
std::optional<Part> read_part(const Reader&, const YamlNode& root);
std::optional<Part> read_part(std::string_view text, const std::string& file, Errors&);
std::string part_text(Part&, bool with_units = false);  // YAML that is itself a part and reads back to the same bits
std::optional<Part> load_part(const Catalog&, const Reference&, const std::string& type, Errors&);

std::vector<std::string> ids_of(const std::vector<CatalogEntry>&, const std::string& prefix = "");
std::string folder_of(const std::string& file);

}  // namespace vdsim
