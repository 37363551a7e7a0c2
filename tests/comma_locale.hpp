// SPDX-License-Identifier: Apache-2.0
// A host that writes 1,5 for 1.5, in C++ and in C: the German locale is made for the test by localedef (Debian: locales).
#pragma once
#include <unistd.h>

#include <clocale>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <locale>
#include <string>

class CommaLocale {
 public:
  CommaLocale() : folder_((std::filesystem::temp_directory_path() / "vdsim_locale_XXXXXX").string()) {
    if (!mkdtemp(folder_.data())) return;
    const std::string make = "localedef -i de_DE -f UTF-8 " + folder_ + "/de_DE.UTF-8 >/dev/null 2>&1";
    if (std::system(make.c_str()) != -1) setenv("LOCPATH", folder_.c_str(), 1);
    std::setlocale(LC_ALL, "de_DE.UTF-8");
    before_ = std::locale::global(std::locale(std::locale(), new Comma));
  }
  ~CommaLocale() {
    std::locale::global(before_);
    std::setlocale(LC_ALL, "C");
    unsetenv("LOCPATH");
    std::filesystem::remove_all(folder_);
  }
  CommaLocale(const CommaLocale&) = delete;
  CommaLocale& operator=(const CommaLocale&) = delete;
  static bool in_c() {  // false: localedef is missing, C goes on with 1.5
    char text[8];
    std::snprintf(text, sizeof text, "%.1f", 1.5);
    return text[1] == ',';
  }
  static bool can_be_made() { return std::filesystem::exists("/usr/share/i18n/locales/de_DE"); }

 private:
  struct Comma : std::numpunct<char> {
    char do_decimal_point() const override { return ','; }
    char do_thousands_sep() const override { return '.'; }
    std::string do_grouping() const override { return "\3"; }
  };
  std::string folder_;
  std::locale before_;
};
