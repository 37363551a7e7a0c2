// SPDX-License-Identifier: Apache-2.0
// A part, a vehicle or a scene in hand: read once, changed value by value as --set does, read by path, written as YAML. What the
// bindings call a spec.
#pragma once
#include <memory>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "vdsim/config/catalog.hpp"
#include "vdsim/config/scenario.hpp"

namespace vdsim {

enum class DocumentKind { part, vehicle, scene };
template <> struct EnumNames<DocumentKind> { static constexpr std::array names{"part", "vehicle", "scene"}; };

// One value of a document.
struct DocumentField {
  // as a user writes it: a number, a whole number, true or false, one of field.names, a text, [numbers], a number or [[t, value], ...],
  // or something larger that the whole text of the document has
  enum class Kind { number, integer, flag, choice, text, list, table, other };
  std::string path;  // as in --set; of several cars "<car id>.chassis.mass"
  Kind kind;
  FieldRef field;       // points into the document
  std::string initial;  // the value of a document that does not name it; "" = not given
  // Some numbers stand for "none" beside their range.
  bool said() const { return field.given() && (kind != Kind::number || field.range.holds(field.number())); }
};
template <> struct EnumNames<DocumentField::Kind> {
  static constexpr std::array names{"number", "integer", "flag", "choice", "text", "list", "table", "other"};
};

class Document {
 public:
  // `name`: id of the catalog or a file. All of them throw BadInput with every error, and nothing has changed.
  static Document load(const std::shared_ptr<const Catalog>&, DocumentKind, const std::string& name);
  // `folder`: where relative paths in the text start.
  static Document read(const std::shared_ptr<const Catalog>&, DocumentKind, std::string_view text,
                       const std::string& folder);
  static Document of(const std::shared_ptr<const Catalog>&, Scenario);  // a scene that has been read
  void set(const std::string& path, const std::string& value);          // as --set PATH=VALUE
  void set(const std::vector<Assignment>&);  // together: checked as the one change that they are

  std::string get(const std::string& path) const;  // as set() takes it
  double number(const std::string& path) const;    // of a number, a whole number, a switch (0, 1), a table of one point
  std::vector<double> list(const std::string& path) const;
  const std::vector<DocumentField>& fields() const { return fields_; }  // every value, until the next change
  DocumentField field(
      const std::string& path) const;  // of the list, or of single tires of a car whose tires are listed
                                       // together, or the other way round

  DocumentKind kind() const { return static_cast<DocumentKind>(content_.index()); }
  std::string text() const;  // YAML that reads back to the same bits
  std::string hash() const;  // 16 hex digits over it; of the content of files, not of where they lie
  const Part* part() const { return std::get_if<Part>(&content_); }
  const Scenario* scene() const { return std::get_if<Scenario>(&content_); }
  const VehicleSpec* vehicle() const {
    const Vehicle* v = std::get_if<Vehicle>(&content_);
    return v ? &v->spec : nullptr;
  }
  std::string vehicle_id() const {
    const Vehicle* v = std::get_if<Vehicle>(&content_);
    return v ? v->id : "";
  }

  Document(const Document&);
  Document(Document&&) = delete;  // fields point into it
  Document& operator=(const Document&) = delete;

 private:
  struct Vehicle {
    std::string id;
    VehicleSpec spec;
  };
  using Content = std::variant<Part, Vehicle, Scenario>;  // in the order of DocumentKind
  Document(std::shared_ptr<const Catalog>, Content);
  static Content resolve(const Catalog&, DocumentKind, const Reader&, const YamlNode& root, const std::string& folder);
  void list_fields();

  std::shared_ptr<const Catalog> catalog_;
  Content content_;
  std::vector<DocumentField> fields_;
};

}  // namespace vdsim
