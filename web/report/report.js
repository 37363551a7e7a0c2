// SPDX-License-Identifier: Apache-2.0
// The charts of a report: decodes the columns, draws with uPlot, links cursors and ranges, prints. See docs/REPORTS.md.
// makeCharts(ratio), from the page, gives uPlot for that many canvas pixels per CSS pixel; absent = drawings only.
(function () {
  "use strict";
  const root = document.documentElement;
  const PRINT_WIDTH = 698, PRINT_RATIO = 3;  // [CSS px] of an A4 page inside its margins; canvas pixels per CSS pixel
  const TIGHT = matchMedia("(max-width: 640px)");

  // ---- errors, for tests and for the reader
  let errors = 0;
  const noteError = () => { root.dataset.errors = ++errors; };
  root.dataset.errors = 0;
  addEventListener("error", noteError);
  addEventListener("unhandledrejection", noteError);
  const plainError = console.error;
  console.error = (...words) => { noteError(); plainError.apply(console, words); };

  // ---- light and dark
  const prefersDark = matchMedia("(prefers-color-scheme: dark)");
  const remembered = (value) => {  // a page opened from a file may have no storage
    try {
      if (value === undefined) return localStorage.getItem("vdsim-theme");
      localStorage.setItem("vdsim-theme", value);
    } catch (e) { /* the choice holds for this view only */ }
    return null;
  };
  const asked = new URLSearchParams(location.search).get("theme") || remembered();
  if (asked === "dark" || asked === "light") root.dataset.theme = asked;
  const isDark = () => (root.dataset.theme ? root.dataset.theme === "dark" : prefersDark.matches);
  let printing = false, ink = null;
  const colors = () => {
    if (ink) return ink;
    const style = getComputedStyle(root);
    const read = (name) => style.getPropertyValue(printing ? "--print-" + name : "--" + name).trim() ||
                           style.getPropertyValue("--" + name).trim();
    ink = { ink: read("ink"), faint: read("faint"), grid: read("grid"), zero: read("zero"), band: read("band"), s: [] };
    for (let i = 0; i < 8; ++i) ink.s.push(read("s" + i));
    return ink;
  };

  // ---- columns: see src/vdsim/report/report.cpp for the codes
  let page = { columns: [], figures: [], followers: [] };
  const decoded = new Map();
  function bytesOf(text) {
    const raw = atob(text), out = new Uint8Array(raw.length);
    for (let i = 0; i < raw.length; ++i) out[i] = raw.charCodeAt(i);
    return out;
  }
  function codesOf(c) {  // 16-bit codes of a quantised column
    const bytes = bytesOf(c.b);
    if (c.k === "i2") return new Uint16Array(bytes.buffer);
    const out = new Uint16Array(c.n);
    let code = 0, at = 0;
    for (let i = 0; i < c.n; ++i) {
      let step = 0, shift = 0, byte;
      do { byte = bytes[at++]; step |= (byte & 127) << shift; shift += 7; } while (byte & 128);
      code += (step >>> 1) ^ -(step & 1);
      out[i] = code;
    }
    return out;
  }
  function decode(c) {
    let out, gaps = false;
    if (c.k === "u") {
      out = new Float64Array(c.n);
      for (let i = 0; i < c.n; ++i) out[i] = c.a + i * c.d;
    } else if (c.k === "f4" || c.k === "f8") {
      const buffer = bytesOf(c.b).buffer;
      out = Float64Array.from(c.k === "f4" ? new Float32Array(buffer) : new Float64Array(buffer));
      gaps = out.some((v) => !isFinite(v));
    } else {
      const codes = codesOf(c);
      out = new Float64Array(codes.length);
      for (let i = 0; i < codes.length; ++i) {
        if (codes[i] === 65535) { out[i] = NaN; gaps = true; } else out[i] = c.a + codes[i] * c.d;
      }
    }
    return gaps ? Array.from(out, (v) => (isFinite(v) ? v : null)) : out;  // uPlot knows null as a gap
  }
  function column(i) {
    if (!decoded.has(i)) decoded.set(i, decode(page.columns[i]));
    return decoded.get(i);
  }

  // ---- numbers and words
  const unitOf = (label) => { const m = /\[([^\]]*)\]\s*$/.exec(label || ""); return m && m[1] !== "-" ? m[1] : ""; };
  const nameOf = (label) => (label || "").replace(/\s*\[[^\]]*\]\s*$/, "");
  function shortNumber(v) {
    if (v === null || v === undefined || !isFinite(v)) return "–";
    if (v === 0) return "0";
    const size = Math.abs(v);
    const text = size >= 1e5 || size < 1e-3 ? v.toExponential(3) : v.toPrecision(5);
    return text.replace(/(\.\d*?)0+(e|$)/, "$1$2").replace(/\.(e|$)/, "$1").replace("-", "−");
  }
  const tickTexts = (values) => {
    const steps = values.map((v, i) => (i ? Math.abs(v - values[i - 1]) : Infinity)).filter((d) => d > 0 && isFinite(d));
    const step = steps.length ? Math.min(...steps) : 1, top = Math.max(...values.map(Math.abs));
    if (top >= 1e6 || (top > 0 && top < 1e-4))
      return values.map((v) => (v === 0 ? "0" : v.toExponential(2).replace(/\.?0+e/, "e").replace("-", "−")));
    let digits = Math.max(0, Math.min(8, Math.ceil(-Math.log10(step) - 1e-9)));
    if (digits < 8 && Math.abs(step * 10 ** digits - Math.round(step * 10 ** digits)) > 1e-3) ++digits;  // steps of 0.25
    return values.map((v) => (Math.abs(v) < step * 1e-6 ? 0 : v).toFixed(digits).replace("-", "−"));
  };
  function element(tag, className, text) {
    const out = document.createElement(tag);
    if (className) out.className = className;
    if (text) out.textContent = text;
    return out;
  }

  // ---- x on one axis for all charts that share it
  const groups = new Map();
  function groupOf(key) {
    if (!groups.has(key)) groups.set(key, { key, full: [Infinity, -Infinity], range: null, charts: [] });
    return groups.get(key);
  }
  const dashes = { 1: [8, 5], 2: [2, 4], 4: [10, 4, 2, 4] };  // by kind of stroke: dashed, dotted, dash-dot
  const roundLog = (v, to) => { const d = 10 ** Math.floor(Math.log10(v)); return to(v / d) * d; };  // to one digit
  const logOf = (group) => group.log ? [Math.log10, (v) => 10 ** v] : [(v) => v, (v) => v];
  function setRange(group, range) {
    const [to] = logOf(group), whole = to(group.full[1]) - to(group.full[0]);
    if (range && !(to(range[1]) - to(range[0]) > 1e-5 * whole)) return;
    if (range && to(range[0]) <= to(group.full[0]) + 1e-9 * whole && to(range[1]) >= to(group.full[1]) - 1e-9 * whole)
      range = null;
    group.range = range;
    const [min, max] = range || group.full;
    for (const chart of group.charts) if (chart.plot) chart.plot.setScale("x", { min, max });
  }
  function moveRange(group, scale, shift, around) {  // scale < 1 zooms in; shift in widths of the view
    const [to, from] = logOf(group), now = (group.range || group.full).map(to), full = group.full.map(to);
    const middle = around === undefined ? (now[0] + now[1]) / 2 : to(around);
    let low = middle + (now[0] - middle) * scale, high = middle + (now[1] - middle) * scale;
    const width = Math.min(high - low, full[1] - full[0]);
    low += shift * width;
    low = Math.max(full[0], Math.min(low, full[1] - width));
    setRange(group, [from(low), from(low + width)]);
  }

  // ---- charts
  let makePlot = null, ratio = 1, created = 0, fontFamily = "sans-serif";
  const charts = [];

  class Chart {
    constructor(figure, panel, place) {
      Object.assign(this, { figure, panel, place, plot: null, drawn: false });
      this.box = place.querySelector(".plot");
      this.values = new Map();  // legend: name -> element of its value
      if (!panel.xy) {
        this.group = groupOf(figure.sync + "|" + panel.xl);
        this.group.log = figure.log;
        this.group.full = [Math.min(this.group.full[0], panel.xr[0]), Math.max(this.group.full[1], panel.xr[1])];
        this.group.charts.push(this);
      }
      this.label();
      place.addEventListener("keydown", (e) => this.key(e));
    }
    color(s) { return colors().s[s.c % 8]; }
    shown(s) { return !this.figure.hidden.has(s.n); }

    label() {  // heading and legend
      const p = this.panel, head = this.place.querySelector("figcaption");
      const title = p.t || nameOf(p.yl), unit = unitOf(p.yl), name = nameOf(p.yl);
      head.append(element("span", "t", title));
      const more = title.toLowerCase().includes(name.toLowerCase()) || !name ? unit : p.yl;
      if (more) head.append(element("span", "u", more));
      const legend = this.place.querySelector(".legend");
      this.at = element("span", "at");
      const names = new Map();
      for (const s of p.s) if (s.n && !names.has(s.n)) names.set(s.n, s);
      if (p.legend && names.size) {
        for (const [n, s] of names) {
          const key = element("button", "key");
          key.type = "button";
          key.dataset.name = n;
          const mark = element("i", "mark k" + s.k);
          mark.style.setProperty("--c", `var(--s${s.c % 8})`);
          mark.style.setProperty("--pc", `var(--print-s${s.c % 8})`);
          const value = element("span", "v");
          key.append(mark, element("span", "n", n), value);
          key.setAttribute("aria-pressed", String(!this.figure.hidden.has(n)));
          key.title = "show or hide";
          key.addEventListener("click", () => this.figure.toggle(n));
          this.values.set(n, value);
          legend.append(key);
        }
      } else {
        const value = element("span", "v");
        this.values.set("", value);
        legend.append(value);
      }
      legend.append(this.at);
      this.place.setAttribute("aria-label", `${title}${p.xl ? " over " + p.xl : ""}. Arrows read, plus and minus zoom, 0 shows all.`);
    }

    size() {
      if (printing) {
        const columns = this.figure.columns > 1 ? 2 : 1;
        const width = Math.floor((PRINT_WIDTH - (columns - 1) * 18) / columns);
        return { width, height: Math.round(this.panel.eq ? width * 0.9 : columns > 1 ? 172 : 230) };
      }
      const width = Math.max(220, Math.floor(this.box.clientWidth));
      const height = TIGHT.matches && !this.panel.eq ? Math.min(this.figure.height, 220) : this.figure.height;
      return { width, height: this.panel.eq ? Math.round(Math.min(Math.max(height, width * 0.85), 560)) : height };
    }
    create(size = this.size()) {
      if (this.plot) return;
      const options = this.options(size);
      this.panel.xy ? this.prepareXY(options) : this.prepareTime(options);
      this.plot = new makePlot(options, this.data, this.box);
      this.wire();
      if (!this.drawn) { this.drawn = true; root.dataset.charts = ++created; }
    }
    destroy() {
      if (this.plot) this.plot.destroy();
      this.plot = null;
      this.box.textContent = "";
    }
    resize() {
      if (!this.plot) return;
      const size = this.size();
      if (size.width === this.plot.width && size.height === this.plot.height) return;
      this.plot.setSize(size);
      if (this.panel.eq) this.fit(this.view);
    }

    options(size) {
      const axis = {
        stroke: () => colors().faint, font: "12px " + fontFamily,
        grid: { stroke: () => colors().grid, width: 1 }, ticks: { stroke: () => colors().grid, width: 1, size: 4 }, gap: 4,
      };
      const values = (u, splits) => {
        const there = splits.filter((v) => v !== null && v !== "");
        const texts = tickTexts(there);
        return splits.map((v) => (v === null || v === "" ? "" : texts[there.indexOf(v)]));
      };
      const logValues = (u, splits) => splits.map((v) => (v === null ? "" : /^[125]e/.test(v.toExponential()) ? shortNumber(v) : ""));
      return {
        ...size, legend: { show: false }, padding: [this.figure.bands.length && !this.panel.xy ? 20 : 10, 14, 0, 2],
        axes: [
          { ...axis, size: 30, label: this.panel.xl, labelSize: 20, labelGap: 0, labelFont: axis.font, space: 62,
            ...(this.figure.log && !this.panel.xy ? { values: logValues, filter: (u, splits) => splits } : { values }) },
          { ...axis, ...(this.panel.ly ? { values: logValues, filter: (u, splits) => splits } : { values }), space: printing ? 24 : 34,
            size: (u, texts) => 12 + 7 * Math.max(5, ...(texts || []).map((t) => (t || "").length)) },
        ],
        hooks: { drawClear: [(u) => this.shade(u)], drawAxes: [(u) => this.zero(u)], setCursor: [(u) => this.read(u)] },
        cursor: { y: false, points: { size: 7 }, drag: { x: true, y: false, dist: 4 }, bind: {} },
      };
    }

    // y over an ascending x
    prepareTime(options) {
      const p = this.panel, same = p.s.every((s) => s.x === p.s[0].x);
      this.data = !p.s.length ? [[0, 1], [null, null]] : same ? [column(p.s[0].x), ...p.s.map((s) => column(s.y))] : this.joined();
      options.scales = {
        x: { time: false, distr: this.figure.log ? 3 : 1, range: () => this.group.range || this.group.full },
        y: p.ly ? { distr: 3, range: (u, low, high) => (low > 0 ? [roundLog(low, Math.floor), roundLog(high, Math.ceil)] : [0.1, 10]) }
          : { range: (u, low, high) => yRange(low, high, p.lim[2], p.lim[3]) },
      };
      options.series = [{}, ...p.s.map((s) => ({
        label: s.n, show: this.shown(s), stroke: () => this.color(s), width: s.k === 3 ? 0 : s.w,
        pxAlign: 0, dash: dashes[s.k], cap: s.k === 2 ? "round" : undefined,
        paths: s.k === 3 ? () => null : undefined,
        points: s.k === 3 ? { show: true, size: s.w + 2, width: 0, fill: () => this.color(s) } : { show: false },
      }))];
      options.cursor.sync = { key: this.group.key, setSeries: false, scales: ["x", null] };
      options.cursor.dataIdx = (u, i, idx) => (i === 0 || same ? idx : nearestDefined(this.data[i], idx));
      options.hooks.setSelect = [(u) => {
        if (u.select.width > 3)
          setRange(this.group, [u.posToVal(u.select.left, "x"), u.posToVal(u.select.left + u.select.width, "x")]);
        u.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false);
      }];
      options.cursor.drag.setScale = false;
    }
    joined() {  // runs with different times: the union; undefined where a series has no sample, null where it has a gap
      const xs = [...new Set(this.panel.s.map((s) => s.x))].map(column);
      const all = new Float64Array(xs.reduce((n, x) => n + x.length, 0));
      let n = 0;
      for (const x of xs) { all.set(x, n); n += x.length; }
      all.sort();
      const x = all.filter((v, i) => i === 0 || v !== all[i - 1]);
      return [x, ...this.panel.s.map((s) => {
        const from = column(s.x), y = column(s.y), out = new Array(x.length);
        for (let i = 0, j = 0; i < x.length && j < from.length; ++i)
          if (x[i] === from[j]) { out[i] = y[j]; while (j < from.length && from[j] === x[i]) ++j; }
        return out;
      })];
    }

    // curves in a plane: paths, g-g
    prepareXY(options) {
      const p = this.panel;
      this.data = [[0, 1], [null, null]];
      const box = [[Infinity, -Infinity], [Infinity, -Infinity]];
      for (const s of p.s) {
        const x = column(s.x), y = column(s.y);
        for (let i = 0; i < x.length; ++i) {
          if (x[i] === null || y[i] === null) continue;
          box[0] = [Math.min(box[0][0], x[i]), Math.max(box[0][1], x[i])];
          box[1] = [Math.min(box[1][0], y[i]), Math.max(box[1][1], y[i])];
        }
      }
      this.home = [yRange(box[0][0], box[0][1], p.lim[0], p.lim[1]), yRange(box[1][0], box[1][1], p.lim[2], p.lim[3])];
      this.view = this.view || this.home;
      options.scales = { x: { time: false, range: () => this.fitted()[0] }, y: { range: () => this.fitted()[1] } };
      options.series = [{}, { show: true, paths: () => null, points: { show: false } }];
      options.cursor = { ...options.cursor, y: true, points: { show: false }, drag: { x: true, y: true, dist: 4, setScale: false } };
      options.hooks.draw = [(u) => this.paintXY(u)];
      options.hooks.ready = [() => { if (p.eq) this.fit(this.view); }];  // now its size is known
      options.hooks.setSelect = [(u) => {
        const b = u.select;
        if (b.width > 3 && b.height > 3)
          this.fit([[u.posToVal(b.left, "x"), u.posToVal(b.left + b.width, "x")],
                    [u.posToVal(b.top + b.height, "y"), u.posToVal(b.top, "y")]]);
        u.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false);
      }];
    }
    fitted() {  // the view, widened where one unit must be as long in x as in y
      const [x, y] = this.view, u = this.plot;
      if (!this.panel.eq) return [x, y];
      const size = this.size(), known = u && u.bbox.width > 0;
      const w = known ? u.bbox.width : size.width - 70, h = known ? u.bbox.height : size.height - 60;
      const ratio = (x[1] - x[0]) / w / ((y[1] - y[0]) / h);
      const wide = (r, f) => [(r[0] + r[1]) / 2 - ((r[1] - r[0]) / 2) * f, (r[0] + r[1]) / 2 + ((r[1] - r[0]) / 2) * f];
      return ratio > 1 ? [x, wide(y, ratio)] : [wide(x, 1 / ratio), y];
    }
    fit(view) {
      this.view = view;
      if (!this.plot) return;
      const apply = () => {
        const [x, y] = this.fitted();
        this.plot.batch(() => {
          this.plot.setScale("x", { min: x[0], max: x[1] });
          this.plot.setScale("y", { min: y[0], max: y[1] });
        });
      };
      apply();
      apply();  // the first may have changed the width of the labels and so of the plot
    }
    paintXY(u) {
      const c = u.ctx, b = u.bbox;
      c.save();
      c.beginPath();
      c.rect(b.left, b.top, b.width, b.height);
      c.clip();
      c.lineJoin = "round";
      const sx = u.scales.x, sy = u.scales.y, kx = b.width / (sx.max - sx.min), ky = b.height / (sy.max - sy.min);
      for (const s of this.panel.s) {
        if (!this.shown(s)) continue;
        const x = column(s.x), y = column(s.y);
        c.strokeStyle = c.fillStyle = this.color(s);
        c.lineWidth = s.w * ratio;
        c.setLineDash((dashes[s.k] || []).map((d) => d * ratio));
        c.lineCap = s.k === 2 ? "round" : "butt";
        c.beginPath();
        let pen = false;
        for (let i = 0; i < x.length; ++i) {
          if (x[i] === null || y[i] === null) { pen = false; continue; }
          const px = b.left + (x[i] - sx.min) * kx, py = b.top + b.height - (y[i] - sy.min) * ky;
          if (s.k === 3) { c.moveTo(px, py); c.arc(px, py, (s.w / 2 + 1) * ratio, 0, 7); }
          else if (pen) c.lineTo(px, py); else c.moveTo(px, py);
          pen = true;
        }
        s.k === 3 ? c.fill() : c.stroke();
      }
      c.restore();
    }

    shade(u) {  // phases: every second one shaded, names above the plot where they have room
      const c = u.ctx, b = u.bbox;
      if (this.panel.xy || !this.figure.bands.length) return;
      c.save();
      c.font = `${10.5 * ratio}px ${fontFamily}`;
      c.textBaseline = "bottom";
      this.figure.bands.forEach(([name, from, to], i) => {
        const left = Math.max(b.left, u.valToPos(from, "x", true)), right = Math.min(b.left + b.width, u.valToPos(to, "x", true));
        if (!(right > left)) return;
        c.fillStyle = colors().band;
        if (i % 2 === 0) c.fillRect(left, b.top, right - left, b.height);
        if (name && c.measureText(name).width < right - left - 4 * ratio) {
          c.fillStyle = colors().faint;
          c.fillText(name, left + 2 * ratio, b.top - 3 * ratio);
        }
      });
      c.restore();
    }
    zero(u) {
      const c = u.ctx, b = u.bbox;
      c.save();
      c.strokeStyle = colors().zero;
      c.lineWidth = ratio;
      const line = (scale, from, to) => {
        const s = u.scales[scale];
        if (!(s.min < 0 && s.max > 0) || (scale === "x" && !this.panel.xy)) return;
        const at = Math.round(u.valToPos(0, scale, true)) + 0.5;
        c.beginPath();
        scale === "x" ? (c.moveTo(at, b.top), c.lineTo(at, b.top + b.height)) : (c.moveTo(b.left, at), c.lineTo(b.left + b.width, at));
        c.stroke();
      };
      line("x");
      line("y");
      c.restore();
    }

    read(u) {
      if (this.panel.xy) return this.readXY(u);
      const { left, idxs } = u.cursor, off = left === undefined || left < 0 || !idxs;
      const unit = unitOf(this.panel.yl), seen = new Set();
      this.panel.s.forEach((s, i) => {
        const place = this.values.get(this.values.has(s.n) ? s.n : "");
        if (!place || seen.has(place)) return;
        const v = off || idxs[i + 1] === null || idxs[i + 1] === undefined ? undefined : this.data[i + 1][idxs[i + 1]];
        if (v === undefined || v === null) { place.textContent = ""; return; }
        seen.add(place);
        place.textContent = shortNumber(v) + (unit ? " " + unit : "");
      });
      const x = off || idxs[0] === null || idxs[0] === undefined ? null : this.data[0][idxs[0]];
      this.at.textContent = x === null ? "" : `${nameOf(this.panel.xl)} ${shortNumber(x)} ${unitOf(this.panel.xl)}`;
      if (!off && x !== null) follow(this, x);
    }
    readXY(u) {
      const { left, top } = u.cursor;
      for (const v of this.values.values()) v.textContent = "";
      this.at.textContent = "";
      if (!(left >= 0)) return;
      let best = 400, found = null;  // within 20 px
      const sx = u.scales.x, sy = u.scales.y, kx = u.over.clientWidth / (sx.max - sx.min), ky = u.over.clientHeight / (sy.max - sy.min);
      for (const s of this.panel.s) {
        if (!this.shown(s)) continue;
        const x = column(s.x), y = column(s.y);
        for (let i = 0; i < x.length; ++i) {
          const dx = (x[i] - sx.min) * kx - left, dy = (sy.max - y[i]) * ky - top, d = dx * dx + dy * dy;
          if (d < best && x[i] !== null && y[i] !== null) { best = d; found = [s, x[i], y[i]]; }
        }
      }
      if (!found) return;
      const [s, x, y] = found;
      const name = s.n && this.values.size > 1 ? s.n + ": " : "";
      this.at.textContent = `${name}${shortNumber(x)} ${unitOf(this.panel.xl)}, ${shortNumber(y)} ${unitOf(this.panel.yl)}`;
    }

    zoom(scale, shift, left) {
      if (!this.panel.xy) return moveRange(this.group, scale, shift, left === undefined ? undefined : this.plot.posToVal(left, "x"));
      const grown = (r) => {
        const half = ((r[1] - r[0]) / 2) * scale, middle = (r[0] + r[1]) / 2 + shift * 2 * half;
        return [middle - half, middle + half];
      };
      const [x, y] = this.fitted();
      this.fit([grown(x), scale === 1 ? y : grown(y)]);
    }
    reset() { this.panel.xy ? this.fit(this.home) : setRange(this.group, null); }
    key(e) {
      if (!this.plot || e.target !== this.place) return;
      const u = this.plot, side = e.key === "ArrowRight" ? 1 : e.key === "ArrowLeft" ? -1 : 0;
      if (e.ctrlKey || e.metaKey || e.altKey) return;
      if (side && (e.shiftKey || this.panel.xy)) this.zoom(1, 0.1 * side);
      else if (side) {
        const at = u.cursor.left >= 0 ? u.cursor.left : side > 0 ? 0 : u.over.clientWidth;
        const next = at + side * Math.max(1, u.over.clientWidth / 200);
        u.setCursor({ left: Math.max(0, Math.min(u.over.clientWidth, next)), top: u.over.clientHeight / 2 });
      } else if (e.key === "+" || e.key === "=") this.zoom(0.7, 0);
      else if (e.key === "-" || e.key === "_") this.zoom(1 / 0.7, 0);
      else if (e.key === "0" || e.key === "Home") this.reset();
      else if (e.key === "Escape") u.setCursor({ left: -10, top: -10 });
      else return;
      e.preventDefault();
    }
    wire() {  // pan with shift, zoom with ctrl and the wheel, one finger reads
      const u = this.plot, over = u.over;
      over.addEventListener("dblclick", () => this.reset());
      over.addEventListener("wheel", (e) => {
        if (!e.ctrlKey && !e.metaKey) return;
        e.preventDefault();
        this.zoom(e.deltaY > 0 ? 1.25 : 0.8, 0, e.offsetX);
      }, { passive: false });
      over.addEventListener("mousedown", (e) => {
        if (!e.shiftKey || e.button !== 0) return;
        e.preventDefault();
        e.stopImmediatePropagation();
        let last = [e.clientX, e.clientY];
        const move = (m) => {
          const dx = (last[0] - m.clientX) / over.clientWidth, dy = (m.clientY - last[1]) / over.clientHeight;
          last = [m.clientX, m.clientY];
          if (!this.panel.xy) return moveRange(this.group, 1, dx);
          const [x, y] = this.fitted();
          this.fit([x.map((v) => v + dx * (x[1] - x[0])), y.map((v) => v + dy * (y[1] - y[0]))]);
        };
        const stop = () => { removeEventListener("mousemove", move); removeEventListener("mouseup", stop); };
        addEventListener("mousemove", move);
        addEventListener("mouseup", stop);
      }, { capture: true });
      over.addEventListener("pointermove", (e) => { if (e.pointerType === "touch") u.setCursor({ left: e.offsetX, top: e.offsetY }); });
    }
  }

  const limit = (v) => v !== null && v !== undefined && isFinite(v);
  function yRange(low, high, min, max) {
    if (!limit(low) || !limit(high)) [low, high] = [0, 1];
    const margin = 0.06 * (high - low), size = Math.max(Math.abs(low), Math.abs(high));
    let out = [limit(min) ? min : low - margin, limit(max) ? max : high + margin];
    if (!(out[1] - out[0] > 1e-9 * size)) {
      const widen = size > 0 ? 0.1 * size : 1;
      out = [out[0] - widen, out[0] + widen];
    }
    return out;
  }
  function nearestDefined(y, idx) {
    if (idx === null || idx === undefined || y[idx] !== undefined) return idx;
    for (let d = 1; d < 50; ++d) {
      if (y[idx - d] !== undefined && idx >= d) return idx - d;
      if (y[idx + d] !== undefined) return idx + d;
    }
    return null;
  }

  // ---- the car in the bird's-eye view follows the cursor of the time charts
  function follow(chart, t) {
    if (!/^time\b/.test(chart.panel.xl)) return;
    document.querySelectorAll("g.follow").forEach((g, i) => {
      const f = page.followers[i], svg = g.closest("svg.view");
      if (!f || !svg) return;
      const time = column(f.t);
      let low = 0, high = time.length - 1;
      if (!(t >= time[0] && t <= time[high] + 1e-9)) { g.style.display = "none"; return; }
      while (low < high) { const m = (low + high) >> 1; time[m] < t ? (low = m + 1) : (high = m); }
      const k = +svg.dataset.scale, x = (column(f.x)[low] - svg.dataset.x0) * k, y = (svg.dataset.y1 - column(f.y)[low]) * k;
      g.setAttribute("transform", `translate(${x} ${y}) rotate(${(-column(f.psi)[low] * 180) / Math.PI})`);
      g.style.display = "inline";
    });
  }
  function drawings() {  // zoom of the trusted drawings by their view box
    document.querySelectorAll(".drawing").forEach((box) => {
      const svg = box.querySelector("svg");
      if (!svg || !svg.viewBox.baseVal) return;
      const home = [svg.viewBox.baseVal.x, svg.viewBox.baseVal.y, svg.viewBox.baseVal.width, svg.viewBox.baseVal.height];
      let view = home.slice();
      const set = (v) => {
        const w = Math.min(home[2], Math.max(home[2] / 60, v[2])), h = (w * home[3]) / home[2];
        const inside = (at, size, i) => Math.max(home[i], Math.min(at, home[i] + home[i + 2] - size));
        view = [inside(v[0], w, 0), inside(v[1], h, 1), w, h];
        svg.setAttribute("viewBox", view.join(" "));
        svg.style.setProperty("--k", view[2] / home[2]);
        box.classList.toggle("zoomed", view[2] < home[2]);
      };
      const zoom = (f, fx, fy) => set([view[0] + view[2] * (1 - f) * fx, view[1] + view[3] * (1 - f) * fy, view[2] * f, 0]);
      const bar = toolbar([["Zoom in", "plus", () => zoom(0.7, 0.5, 0.5)], ["Zoom out", "minus", () => zoom(1 / 0.7, 0.5, 0.5)],
        ["Left", "left", () => set([view[0] - view[2] / 5, view[1], view[2], 0])],
        ["Right", "right", () => set([view[0] + view[2] / 5, view[1], view[2], 0])],
        ["Show all", "reset", () => set(home)]]);
      box.prepend(bar);
      const driven = svg.querySelector(".s0");  // on a narrow screen the drawing scrolls: its first path in the middle
      if (driven && driven.getBBox && box.scrollWidth > box.clientWidth) {
        const b = driven.getBBox();
        box.scrollLeft = ((b.x + b.width / 2 - home[0]) / home[2]) * svg.clientWidth - box.clientWidth / 2;
      }
      const at = (e) => { const r = svg.getBoundingClientRect(); return [(e.clientX - r.left) / r.width, (e.clientY - r.top) / r.height]; };
      svg.addEventListener("wheel", (e) => {
        if (!e.ctrlKey && !e.metaKey) return;
        e.preventDefault();
        zoom(e.deltaY > 0 ? 1.25 : 0.8, ...at(e));
      }, { passive: false });
      svg.addEventListener("dblclick", () => set(home));
      svg.addEventListener("pointerdown", (e) => {
        if (view[2] >= home[2] || e.button !== 0) return;
        svg.setPointerCapture(e.pointerId);
        let last = at(e);
        const move = (m) => {
          const now = at(m);
          set([view[0] + (last[0] - now[0]) * view[2], view[1] + (last[1] - now[1]) * view[3], view[2], 0]);
          last = now;
        };
        svg.addEventListener("pointermove", move);
        svg.addEventListener("pointerup", () => svg.removeEventListener("pointermove", move), { once: true });
      });
    });
  }
  const ICONS = {
    plus: "M8 3v10M3 8h10", minus: "M3 8h10", left: "M10 3 5 8l5 5", right: "m6 3 5 5-5 5",
    reset: "M3 6V3h3M13 6V3h-3M3 10v3h3M13 10v3h-3",
  };
  function toolbar(buttons) {
    const bar = element("div", "tools");
    for (const [name, icon, act] of buttons) {
      const b = element("button");
      b.type = "button";
      b.title = name;
      b.setAttribute("aria-label", name);
      b.innerHTML = `<svg viewBox="0 0 16 16" aria-hidden="true"><path d="${ICONS[icon]}"/></svg>`;
      b.addEventListener("click", act);
      bar.append(b);
    }
    return bar;
  }

  // ---- figures
  class FigureView {
    constructor(spec, place, number) {
      Object.assign(this, spec);
      this.hidden = new Set();
      this.sync = spec.sync || "figure" + number;
      this.charts = spec.panels.map((panel, i) => new Chart(this, panel, place.querySelectorAll(".chart")[i]));
      charts.push(...this.charts);
      const each = (f) => () => {  // one chart of each group acts for all
        const seen = new Set();
        for (const c of this.charts) { if (c.plot && !(c.group && seen.has(c.group))) f(c); seen.add(c.group); }
      };
      place.prepend(toolbar([["Zoom in", "plus", each((c) => c.zoom(0.7, 0))], ["Zoom out", "minus", each((c) => c.zoom(1 / 0.7, 0))],
        ["Left", "left", each((c) => c.zoom(1, -0.2))], ["Right", "right", each((c) => c.zoom(1, 0.2))],
        ["Show all", "reset", each((c) => c.reset())]]));
      this.place = place;
    }
    toggle(name) {
      this.hidden.has(name) ? this.hidden.delete(name) : this.hidden.add(name);
      for (const key of this.place.querySelectorAll(".key"))
        if (key.dataset.name === name) key.setAttribute("aria-pressed", String(!this.hidden.has(name)));
      for (const c of this.charts) {
        if (!c.plot) continue;
        if (c.panel.xy) c.plot.redraw();
        else c.panel.s.forEach((s, i) => { if (s.n === name) c.plot.setSeries(i + 1, { show: c.shown(s) }); });
      }
    }
  }

  // ---- life of the page
  const redraw = () => { ink = null; for (const c of charts) if (c.plot) c.plot.redraw(false); };
  const inView = (c) => {
    const r = c.place.getBoundingClientRect();
    return r.width > 0 && r.top < innerHeight * 1.3 && r.bottom > -innerHeight * 0.3;
  };
  const createMany = (list) => {  // all sizes first: to measure after a change lays the page out anew
    const sizes = list.map((c) => c.size());
    list.forEach((c, i) => c.create(sizes[i]));
  };
  const createAll = () => createMany(charts.filter((c) => c.place.offsetParent !== null));

  function print(on) {  // every chart, in light colours, at the size and sharpness of paper
    if (printing === on || !makePlot) return;
    printing = on;
    ink = null;
    root.classList.toggle("printing", on);
    if (on) document.querySelectorAll("details.block").forEach((d) => { if (!d.open) { d.open = true; d.dataset.shut = "1"; } });
    else document.querySelectorAll("details[data-shut]").forEach((d) => { d.open = false; delete d.dataset.shut; });
    rebuild(on ? PRINT_RATIO : devicePixelRatio, on ? createAll : undefined);
  }
  function rebuild(pixels, create) {
    const before = charts.filter((c) => c.plot);
    makePlot = makeCharts(ratio = pixels);
    for (const c of charts) c.destroy();
    create ? create() : createMany(before);
  }

  function selfTest() {  // charts in which no pixel has the colour of a series
    const blank = [];
    let painted = 0;
    for (const chart of charts) {
      if (!chart.plot) { blank.push(chart.panel.t); continue; }
      const can = chart.plot.ctx.canvas, pixels = chart.plot.ctx.getImageData(0, 0, can.width, can.height).data;
      const wanted = chart.panel.s.map((s) => parseInt(chart.color(s).slice(1), 16)).map((v) => [v >> 16, (v >> 8) & 255, v & 255]);
      const off = (i, w) => Math.abs(pixels[i] - w[0]) + Math.abs(pixels[i + 1] - w[1]) + Math.abs(pixels[i + 2] - w[2]);
      let hits = 0;
      for (let i = 0; i < pixels.length; i += 4)
        if (pixels[i + 3] > 100 && wanted.some((w) => off(i, w) < 12)) ++hits;
      hits > 10 ? ++painted : blank.push(chart.panel.t);
    }
    root.dataset.painted = painted;
    root.dataset.blank = blank.join("; ");
  }

  function navigation() {
    const links = [...document.querySelectorAll("nav a")];
    for (const a of links)  // a folded part opens
      a.addEventListener("click", () => { const part = document.querySelector(a.hash); if (part && "open" in part) part.open = true; });
    const byId = new Map(links.map((a) => [a.hash.slice(1), a]));
    const watcher = new IntersectionObserver((seen) => {
      for (const s of seen) {
        if (!s.isIntersecting || !byId.has(s.target.id)) continue;
        links.forEach((a) => a.removeAttribute("aria-current"));
        byId.get(s.target.id).setAttribute("aria-current", "true");
      }
    }, { rootMargin: "-12% 0px -80% 0px" });
    document.querySelectorAll(".block[id]").forEach((s) => watcher.observe(s));
  }

  function start() {
    const toggle = document.getElementById("theme");
    toggle.addEventListener("click", () => { root.dataset.theme = isDark() ? "light" : "dark"; remembered(root.dataset.theme); redraw(); });
    prefersDark.addEventListener("change", redraw);
    page = JSON.parse(document.getElementById("data").textContent);
    drawings();
    navigation();
    if (typeof makeCharts !== "function") { root.dataset.charts = document.querySelectorAll("figure svg").length; return ready(); }
    makePlot = makeCharts(ratio = devicePixelRatio);
    fontFamily = getComputedStyle(document.body).fontFamily;
    root.dataset.charts = 0;
    document.querySelectorAll(".figure").forEach((place, i) => new FigureView(page.figures[i], place, i));
    const test = location.hash === "#selftest";
    createMany(charts.filter((c) => test || inView(c)));
    const lazy = new IntersectionObserver((seen) => {
      const now = seen.filter((s) => s.isIntersecting).map((s) => s.target);
      createMany(charts.filter((c) => !c.plot && now.includes(c.place)));
      now.forEach((place) => lazy.unobserve(place));
    }, { rootMargin: "400px" });
    for (const c of charts) lazy.observe(c.place);
    const resize = new ResizeObserver((seen) => {
      if (!printing) charts.filter((c) => seen.some((s) => s.target === c.box)).forEach((c) => c.resize());
    });
    for (const c of charts) resize.observe(c.box);
    addEventListener("resize", () => { if (!printing && devicePixelRatio !== ratio) rebuild(devicePixelRatio); });
    addEventListener("beforeprint", () => print(true));
    addEventListener("afterprint", () => print(false));
    queueMicrotask(() => queueMicrotask(() => { if (test) selfTest(); ready(); }));  // uPlot draws in a microtask
  }
  function ready() {
    root.dataset.opened = Math.round(performance.now());
    root.dataset.ready = "1";
  }
  document.addEventListener("DOMContentLoaded", start);
})();
