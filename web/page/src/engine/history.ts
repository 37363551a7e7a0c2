// SPDX-License-Identifier: Apache-2.0
// The last 120 s of one car at 200 Hz, every signal: what plots, timeline and drives read back. Rows of later steps are replaced when
// the car passes there again.

export const kRowsPerSecond = 200;
const kRows = 120 * kRowsPerSecond;

export class History {
  private steps = new Float64Array(kRows);
  private times = new Float64Array(kRows);
  private rows: Float32Array;
  private first = 0;
  private count = 0;
  constructor(readonly width: number) { this.rows = new Float32Array(kRows * width); }

  private at(row: number): number { return (this.first + row) % kRows; }
  get length(): number { return this.count; }
  lastStep(): number { return this.count ? this.steps[this.at(this.count - 1)]! : -1; }

  record(step: number, time: number, values: Float64Array): void {
    while (this.count && this.lastStep() >= step) --this.count;
    if (this.count === kRows) { this.first = (this.first + 1) % kRows; --this.count; }
    const slot = this.at(this.count++);
    this.steps[slot] = step;
    this.times[slot] = time;
    for (let i = 0; i < this.width; ++i) this.rows[slot * this.width + i] = values[i]!;
  }
  clear(): void { this.count = 0; }

  // Columns of these signals between two times, thinned to at most `most` rows; the first column is time.
  columns(signals: number[], from: number, to: number, most: number): Float64Array[] {
    let begin = this.find(from), end = this.find(to);
    if (end < this.count) ++end;
    begin = Math.max(0, begin - 1);
    const stride = Math.max(1, Math.ceil((end - begin) / most));
    begin -= begin % stride; // the same rows in every picture: thinned curves do not flicker
    const n = Math.max(0, Math.ceil((end - begin) / stride));
    const out = [new Float64Array(n), ...signals.map(() => new Float64Array(n))];
    for (let i = 0; i < n; ++i) {
      const slot = this.at(begin + i * stride);
      out[0]![i] = this.times[slot]!;
      signals.forEach((s, c) => { out[c + 1]![i] = s < 0 ? NaN : this.rows[slot * this.width + s]!; });
    }
    return out;
  }
  private find(time: number): number { // first row at or after this time
    let lo = 0, hi = this.count;
    while (lo < hi) {
      const mid = (lo + hi) >> 1;
      if (this.times[this.at(mid)]! < time) lo = mid + 1; else hi = mid;
    }
    return lo;
  }
}
