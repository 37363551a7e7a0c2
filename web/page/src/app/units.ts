// SPDX-License-Identifier: Apache-2.0
// Units on the screen: SI as in every file, or those of the road.

export type UnitSystem = "si" | "road";
interface Shown { unit: string; scale: number; offset?: number }
const kRoad: Record<string, Shown> = {
  "m/s": { unit: "km/h", scale: 3.6 }, "rad": { unit: "deg", scale: 180 / Math.PI }, "rad/s": { unit: "deg/s", scale: 180 / Math.PI },
  "Pa": { unit: "bar", scale: 1e-5 },
};
// as it is printed: m/s²
export const unitText = (unit: string): string => unit.replace("^2", "\u00b2").replace("^3", "\u00b3");
export const shown = (unit: string, system: UnitSystem): Shown => (system === "road" && kRoad[unit]) || { unit: unitText(unit), scale: 1 };

const kMinus = "\u2212";
export const fixed = (value: number, digits: number): string =>
  Number.isFinite(value) ? (Math.abs(value) < 0.5 * 10 ** -digits ? 0 : value).toFixed(digits).replace("-", kMinus) : "\u2013";

// Four significant digits.
export function short(value: number): string {
  if (!Number.isFinite(value)) return "\u2013";
  if (Math.abs(value) < 1e-12) return "0";
  const size = Math.abs(value);
  if (size >= 1e6 || size < 1e-3) return value.toExponential(2).replace("-", kMinus).replace("e+", "e");
  return fixed(value, Math.max(0, 3 - Math.floor(Math.log10(size))));
}

// The same without zeros at its end, for axes.
export const tick = (value: number): string => short(value).replace(/(\.\d*?)0+(?=$|e)/, "$1").replace(/\.(?=$|e)/, "");

// A small length in the unit that shows it: m, mm, um, nm.
export function smallLength(meters: number): string {
  const size = Math.abs(meters);
  const [scale, unit] = size >= 1 ? [1, "m"] : size >= 1e-4 ? [1e3, "mm"] : size >= 1e-7 ? [1e6, "\u00b5m"] : [1e9, "nm"];
  return `${fixed(meters * scale, size * scale >= 100 ? 0 : size * scale >= 10 ? 1 : 2)} ${unit}`;
}
