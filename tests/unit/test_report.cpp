// SPDX-License-Identifier: Apache-2.0
#include "vdsim/report/report.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <random>
#include <sstream>

#include "vdsim/formats/atomic_file.hpp"
#include "vdsim/report/report_columns.hpp"

namespace vdsim {
namespace {

using nlohmann::json;

std::string from_base64(const std::string& text) {
  static const std::string letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string out;
  unsigned bits = 0, count = 0;
  for (const char c : text) {
    if (c == '=') break;
    bits = bits << 6 | static_cast<unsigned>(letters.find(c));
    if ((count += 6) >= 8) out += static_cast<char>(bits >> (count -= 8) & 255);
  }
  return out;
}

template <class T> std::vector<double> numbers(const std::string& bytes) {
  std::vector<double> out;
  for (std::size_t i = 0; i + sizeof(T) <= bytes.size(); i += sizeof(T)) {
    T v;
    std::memcpy(&v, bytes.data() + i, sizeof(T));
    out.push_back(static_cast<double>(v));
  }
  return out;
}

// As web/report/report.js reads a column.
std::vector<double> decode(const json& c) {
  const std::string code = c["k"];
  const double a = c["a"], d = c["d"];
  const std::size_t n = c["n"];
  std::vector<double> out;
  if (code == "u")
    for (std::size_t i = 0; i < n; ++i) out.push_back(a + static_cast<double>(i) * d);
  if (code == "f4") out = numbers<float>(from_base64(c["b"]));
  if (code == "f8") out = numbers<double>(from_base64(c["b"]));
  if (code == "i2")
    for (const double v : numbers<std::uint16_t>(from_base64(c["b"]))) out.push_back(v == 65535 ? NAN : a + v * d);
  if (code == "v") {
    const std::string bytes = from_base64(c["b"]);
    std::int32_t value = 0;
    for (std::size_t i = 0, at = 0; i < n; ++i) {
      std::uint32_t z = 0;
      for (int shift = 0;; shift += 7) {
        const auto byte = static_cast<unsigned char>(bytes.at(at++));
        z |= (byte & 127u) << shift;
        if (!(byte & 128u)) break;
      }
      value += static_cast<std::int32_t>(z >> 1) ^ -static_cast<std::int32_t>(z & 1);
      out.push_back(value == 65535 ? NAN : a + value * d);
    }
  }
  EXPECT_EQ(out.size(), n);
  return out;
}

json stored(const std::vector<double>& values, Axis axis) {
  ColumnStore store;
  EXPECT_EQ(store.add(values, axis), 0);
  return json::parse(store.json()[0]);
}

json page_data(const std::string& page) {
  const std::string mark = "id=\"data\">";
  const std::size_t from = page.find(mark) + mark.size();
  return json::parse(page.substr(from, page.find("</script>", from) - from));
}

ReportAssets made_up() { return {"var uPlot = 1;", "", "/* ours */", ""}; }

std::size_t count(const std::string& text, const std::string& word) {
  std::size_t n = 0;
  for (std::size_t at = text.find(word); at != std::string::npos; at = text.find(word, at + 1)) ++n;
  return n;
}

std::vector<double> even_times(std::size_t n) {
  std::vector<double> out;
  for (std::size_t i = 0; i < n; ++i) out.push_back(static_cast<double>(i) * 1e-3);
  return out;
}

std::vector<double> noise(std::size_t n, unsigned seed) {
  std::mt19937 engine(seed);
  std::vector<double> out;
  for (std::size_t i = 0; i < n; ++i) out.push_back(static_cast<double>(engine()) * 1e-6 - 2000);
  return out;
}

ReportBlock charts(std::size_t columns, std::size_t rows) {
  ReportBlock out;
  out.heading = "charts";
  Figure figure;
  for (std::size_t k = 0; k < columns; ++k)
    figure.panels.push_back(
        {"p", "time [s]", "y [N]", {{"", even_times(rows), noise(rows, static_cast<unsigned>(k))}}});
  out.figures.push_back(figure);
  return out;
}

TEST(Report, Base64IsThatOfTheStandard) {  // RFC 4648, section 10
  EXPECT_EQ(base64(""), "");
  EXPECT_EQ(base64("f"), "Zg==");
  EXPECT_EQ(base64("fo"), "Zm8=");
  EXPECT_EQ(base64("foo"), "Zm9v");
  EXPECT_EQ(base64("foob"), "Zm9vYg==");
  EXPECT_EQ(base64("fooba"), "Zm9vYmE=");
  EXPECT_EQ(base64("foobar"), "Zm9vYmFy");
  EXPECT_EQ(base64("\xff\xfe"), "//4=");
}

TEST(Report, LongColumnsKeepRangeAndGaps) {
  for (const bool smooth : {true, false}) {
    std::vector<double> y = noise(5000, 1);
    if (smooth)
      for (std::size_t i = 0; i < y.size(); ++i) y[i] = 3 * std::sin(1e-3 * static_cast<double>(i));
    y[0] = y[17] = NAN;
    y[18] = INFINITY;
    y[4999] = -NAN;
    const auto [low, high] = std::minmax_element(y.begin() + 19, y.end() - 1);
    const double step = (*high - *low) / 65534;
    const json column = stored(y, Axis::y);
    EXPECT_EQ(column["k"], smooth ? "v" : "i2");
    const std::vector<double> back = decode(column);
    for (std::size_t i = 0; i < y.size(); ++i) {
      if (std::isfinite(y[i]))
        EXPECT_NEAR(back[i], y[i], 0.5001 * step + 1e-12 * std::abs(y[i])) << i;  // half a code
      else
        EXPECT_TRUE(std::isnan(back[i])) << i;
    }
    EXPECT_LE(column["b"].get<std::string>().size(), 2 * y.size() * 4 / 3 + 4);
  }
}

TEST(Report, FlatAndEmptyColumnsAreExact) {
  EXPECT_EQ(decode(stored(std::vector<double>(1000, 7.25), Axis::y)), std::vector<double>(1000, 7.25));
  EXPECT_TRUE(decode(stored({}, Axis::y)).empty());
  for (const double v : decode(stored(std::vector<double>(1000, NAN), Axis::y))) EXPECT_TRUE(std::isnan(v));
}

TEST(Report, LargeValuesWithSmallDifferencesKeepThem) {
  // a float near 1e8 has steps of 8; the codes have 1/65534 of the range
  const std::vector<double> y{1e8, 1e8 + 1, 1e8 + 2};
  const std::vector<double> back = decode(stored(y, Axis::y));
  for (std::size_t i = 0; i < y.size(); ++i) EXPECT_NEAR(back[i], y[i], 1e-4);
}

TEST(Report, TimesKeepTheirSteps) {
  EXPECT_EQ(stored(even_times(10001), Axis::x)["k"], "u");
  std::vector<double> bent = even_times(1000);
  bent[500] += 2e-4;
  const std::vector<double> back = decode(stored(bent, Axis::x));
  for (std::size_t i = 0; i < bent.size(); ++i) EXPECT_NEAR(back[i], bent[i], 1e-6);  // 1/1000 of a step
  for (double& t : bent) t += 1e6;                                                    // floats would merge neighbours
  const json late = stored(bent, Axis::x);
  EXPECT_EQ(late["k"], "f8");
  EXPECT_EQ(decode(late), bent);
}

TEST(Report, EqualColumnsAreKeptOnce) {
  ColumnStore store;
  std::vector<double> gap = noise(800, 3);
  gap[5] = NAN;
  EXPECT_EQ(store.add(gap, Axis::y), 0);
  EXPECT_EQ(store.add(even_times(800), Axis::x), 1);
  EXPECT_EQ(store.add(gap, Axis::y), 0);
  EXPECT_EQ(store.add(even_times(800), Axis::x), 1);
  EXPECT_EQ(store.json().size(), 2u);
}

TEST(Report, ThinningKeepsEveryExtreme) {
  const std::vector<double> y = noise(10007, 5);
  for (const std::size_t stride : {2u, 3u, 7u, 50u}) {
    const std::vector<double> kept = keep_extremes(y, stride);
    ASSERT_EQ(kept.size(), y.size() / (2 * stride) * 2);
    EXPECT_EQ(every(even_times(10007), stride).size(), kept.size());
    for (std::size_t b = 0; b < kept.size() / 2; ++b) {
      const auto from = y.begin() + static_cast<std::ptrdiff_t>(2 * stride * b);
      const auto to = b + 1 == kept.size() / 2 ? y.end() : from + static_cast<std::ptrdiff_t>(2 * stride);
      EXPECT_EQ(std::min(kept[2 * b], kept[2 * b + 1]), *std::min_element(from, to));
      EXPECT_EQ(std::max(kept[2 * b], kept[2 * b + 1]), *std::max_element(from, to));
    }
  }
}

TEST(Report, ThinningKeepsOrderAndGaps) {
  std::vector<double> y(400, 0.0);
  y[101] = 5, y[103] = -4;  // the peak comes first
  for (std::size_t i = 200; i < 260; ++i) y[i] = NAN;
  const std::vector<double> kept = keep_extremes(y, 10);
  EXPECT_EQ(kept[10], 5);
  EXPECT_EQ(kept[11], -4);
  for (std::size_t i = 20; i < 26; ++i) EXPECT_TRUE(std::isnan(kept[i]));
  EXPECT_EQ(kept[26], 0);
  EXPECT_EQ(keep_extremes({1, 2, 3}, 10), (std::vector<double>{1, 2, 3}));  // too short to thin
}

TEST(Report, ThinnedCurveKeepsItsCorners) {
  const std::vector<double> x = noise(5000, 7), y = noise(5000, 8);
  const std::vector<std::size_t> rows = keep_corners(x, y, 20);
  EXPECT_LE(rows.size(), 5000 / 20 + 1u);
  EXPECT_TRUE(std::is_sorted(rows.begin(), rows.end()));
  const auto has = [&](auto at, const std::vector<double>& v) {
    return std::find(rows.begin(), rows.end(), static_cast<std::size_t>(at - v.begin())) != rows.end();
  };
  EXPECT_TRUE(has(std::min_element(x.begin(), x.end()), x));
  EXPECT_TRUE(has(std::max_element(x.begin(), x.end()), x));
  EXPECT_TRUE(has(std::min_element(y.begin(), y.end()), y));
  EXPECT_TRUE(has(std::max_element(y.begin(), y.end()), y));
  EXPECT_EQ(rows.back(), 4999u);
  EXPECT_EQ(keep_corners({1, NAN, 3}, {1, 2, 3}, 1), (std::vector<std::size_t>{0, 1, 2}));
}

TEST(Report, TenSecondsAtOneKilohertzFitWhole) {
  // the worst case, white noise in all 48 columns of a car: 16 bits each, base64
  const std::string page = report_page("t", "s", {charts(48, 10001)});
  EXPECT_LE(page.size(), 1500000u);
  const json data = page_data(report_page("t", "s", {charts(48, 10001)}, made_up()));
  EXPECT_EQ(data["columns"].size(), 49u);  // the time once
  for (const json& column : data["columns"]) EXPECT_EQ(column["n"], 10001);
  EXPECT_EQ(page.find("smallest and the largest"), std::string::npos);
}

TEST(Report, LongerRunsAreThinnedAndSaySo) {
  const std::string page = report_page("t", "s", {charts(30, 60001)}, made_up());
  EXPECT_LE(page.size(), 1500000u);
  EXPECT_GT(page.size(), 750000u);  // no thinner than needed
  EXPECT_NE(page.find("smallest and the largest value of every"), std::string::npos);
}

TEST(Report, TextsCannotBecomeCode) {
  const std::string bad = "</script><script>alert('x\"')</script>&amp;<!--\x01";
  ReportBlock block;
  block.heading = block.text = block.preformatted = block.verdict = block.sync = bad;
  block.facts = {{bad, bad}};
  block.bands = {{bad, 0, 1}};
  block.tables = {{bad, {{bad}, {bad}}, {1}}};
  block.figures = {{bad, {{bad, bad, bad, {{bad, {0, 1}, {0, 1}}}}}}};
  for (const ReportAssets& assets : {made_up(), ReportAssets{}}) {
    const std::string page = report_page(bad, bad, {block}, assets);
    EXPECT_EQ(page.find("<script>alert"), std::string::npos);
    EXPECT_EQ(page.find("<!--"), std::string::npos);
    EXPECT_EQ(count(page, "</script>"), count(page, "<script"));
  }
  // what the reader sees is what was written
  const json data = page_data(report_page(bad, bad, {block}, made_up()));
  EXPECT_EQ(data["figures"][0]["panels"][0]["t"], bad);
  EXPECT_EQ(data["figures"][0]["bands"][0][0], bad);
}

TEST(Report, BrokenTextDoesNotBreakThePage) {
  ReportBlock block;
  block.heading = "\xff\xfe";
  block.figures = {{"\xc3", {{"\xe2\x28", "", "", {{"\xff", {0, 1}, {0, 1}}}}}}};
  EXPECT_NO_THROW(page_data(report_page("\xff", "", {block}, made_up())));
}

TEST(Report, PageLoadsNothing) {
  const std::string page = report_page("t", "s", {charts(2, 100)});
  for (const char* word : {" src=", "@import", "url(", "fetch(", "XMLHttpRequest", "<link"})
    EXPECT_EQ(page.find(word), std::string::npos) << word;
  EXPECT_NE(page.find("default-src 'none'"), std::string::npos);
  for (std::size_t at = page.find("href=\""); at != std::string::npos; at = page.find("href=\"", at + 1))
    EXPECT_EQ(page[at + 6], '#');
}

TEST(Report, WithoutUPlotChartsAreDrawings) {
  const std::string page = report_page("t", "s", {charts(3, 100)}, ReportAssets{});
  EXPECT_EQ(count(page, "<svg xmlns"), 1u);  // one figure of three panels
  EXPECT_EQ(count(page, "built without uPlot"), 1u);
  EXPECT_EQ(page.find("makeCharts"), std::string::npos);
  EXPECT_EQ(page_data(page)["columns"].size(), 0u);
  EXPECT_EQ(report_page("t", "s", {charts(3, 100)}, made_up()).find("built without"), std::string::npos);
}

TEST(Report, SameBlocksSameBytes) {
  EXPECT_EQ(report_page("t", "s", {charts(4, 900)}), report_page("t", "s", {charts(4, 900)}));
}

TEST(Report, CurvesInAPlaneAreToldFromTimeCharts) {
  ReportBlock block;
  Panel path{"path", "x [m]", "y [m]", {{"", {0, 1, 0.5}, {0, 1, 2}}}},
      time{"time", "t", "y", {{"", {0, 1, 2}, {5, 6, 5}}}};
  Panel circle = time;
  circle.equal_aspect = true;
  block.figures = {{"f", {path, time, circle}}};
  const json panels = page_data(report_page("", "", {block}, made_up()))["figures"][0]["panels"];
  EXPECT_EQ(panels[0]["xy"], true);
  EXPECT_EQ(panels[1]["xy"], false);
  EXPECT_EQ(panels[2]["xy"], true);
  EXPECT_EQ(panels[2]["eq"], true);
  EXPECT_EQ(panels[1]["xr"], (json{0, 2}));
}

TEST(Report, LogAxesLeaveOutWhatTheyCannotShow) {
  ReportBlock block;
  block.log_x = true;
  block.figures = {{"f", {{"", "frequency [Hz]", "gain", {{"", {-1, 0, 0.5, 8}, {1, 2, 3, 4}}}}}}};
  const json data = page_data(report_page("", "", {block}, made_up()));
  const json panel = data["figures"][0]["panels"][0];
  EXPECT_EQ(panel["xr"], (json{0.5, 8}));
  EXPECT_EQ(decode(data["columns"][panel["s"][0]["x"].get<std::size_t>()]), (std::vector<double>{0.5, 8}));
  EXPECT_EQ(decode(data["columns"][panel["s"][0]["y"].get<std::size_t>()]), (std::vector<double>{3, 4}));
}

TEST(Report, MarksAreShownInWords) {
  ReportBlock block;
  block.tables = {{"", {{"metric", "value"}, {"a", "1"}, {"b", "2"}, {"c", "3"}}, {1, 0, -1}}};
  const std::string page = report_page("", "", {block}, made_up());
  EXPECT_EQ(count(page, "✓ pass"), 1u);
  EXPECT_EQ(count(page, "✗ fail"), 1u);
  EXPECT_EQ(count(page, "<tr class=\"fail\">"), 1u);
}

TEST(Report, StillsHaveNamesAndLogAxes) {
  ReportBlock block;
  block.heading = "Wheel loads: <F>";
  block.svg = "<svg/>";
  block.log_x = true;
  block.figures = {{"", {{"", "frequency [Hz]", "", {{"", {0, 1, 10, 100}, {1, 2, 3, 4}}}}}}};
  const auto stills = report_svgs({block});
  ASSERT_EQ(stills.size(), 2u);
  EXPECT_EQ(stills[0].first, "01_wheel_loads_f.svg");
  EXPECT_EQ(stills[1].first, "02_wheel_loads_f.svg");
  EXPECT_EQ(stills[1].second, "<svg/>");
  EXPECT_NE(stills[0].second.find("log10 of frequency [Hz]"), std::string::npos);
}

TEST(Report, StillsOfLongRunsStaySmall) {
  const std::size_t n = 100001;
  std::vector<double> y(n, 0.0);
  y[77777] = 9;  // one sample
  ReportBlock block;
  block.figures = {{"f", {{"", "t", "y", {{"", even_times(n), noise(n, 2)}, {"", even_times(n), y}}}}}};
  const std::string svg = report_svg(block.figures[0], block);
  EXPECT_LT(svg.size(), 150000u);
  Figure peak = block.figures[0];
  peak.panels[0].series.erase(peak.panels[0].series.begin());
  EXPECT_NE(report_svg(peak, block).find(">8<"), std::string::npos);  // its axis reaches the peak
}

TEST(Report, LegendsOfStillsCoverNoCurve) {
  ReportBlock block;
  const std::vector<double> x{0, 1, 2};
  block.figures = {{"f", {{"one", "t", "y", {{"left", x, x}, {"right", x, x}}}, {"two", "t", "y", {{"left", x, x}}}}}};
  const std::string svg = report_svg(block.figures[0], block);
  const std::size_t legend = svg.find(">left<");
  ASSERT_NE(legend, std::string::npos);
  EXPECT_EQ(svg.find(">left<", legend + 1), std::string::npos);  // once
  EXPECT_LT(legend, svg.find(">one<"));                          // above the first panel
}

TEST(Report, PartsAreBuiltInWhole) {
  const std::filesystem::path web = std::filesystem::path(VDSIM_SOURCE_DIR) / "web";
  const auto text = [](const std::filesystem::path& path) {
    std::ifstream in(path, std::ios::binary);
    return std::string(std::istreambuf_iterator<char>(in), {});
  };
  EXPECT_EQ(report_assets().script, text(web / "report/report.js"));
  EXPECT_EQ(report_assets().css, text(web / "report/report.css"));
  if (report_assets().charts.empty()) GTEST_SKIP() << "built without uPlot";
  EXPECT_TRUE(report_assets().charts.ends_with(text(web / "node_modules/uplot/dist/uPlot.iife.min.js")));
  EXPECT_NE(report_assets().charts.find("Permission is hereby granted"), std::string::npos);
}

}  // namespace
}  // namespace vdsim
