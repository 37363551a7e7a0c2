// SPDX-License-Identifier: Apache-2.0
// Always visible: what the car is made of, switched while it drives. Choices and ranges are the engine's.
import type { Field } from "../engine/types";
import { useApp, useApp1 } from "./context";

export function Switches() {
  const app = useApp();
  useApp1((s) => s.fields);
  const { catalog, source } = useApp1((s) => s), law = app.lugre(), first = (path: string) => app.fieldsEnding(path)[0];
  const tires = catalog.parts.filter((p) => p.type === "tire");
  return (
    <div class="switches" role="toolbar" aria-label="Switches">
      <label>Scene
        <select value={source?.name ?? ""} onChange={(e) => { const id = e.currentTarget.value; void app.open({ scene: id, sets: [], name: id }); e.currentTarget.blur(); }}>
          {source && !catalog.scenes.some((s) => s.id === source.name) && <option value={source.name}>{source.name}</option>}
          {catalog.scenes.map((s) => <option key={s.id} value={s.id}>{s.label || s.id}</option>)}
        </select>
      </label>
      <button type="button" role="switch" class="lugre" aria-checked={law !== "blend" && law !== ""} disabled={!law} title="Bristle friction on or off (L)"
        onClick={() => void app.toggleLugre()}><i />LuGre <kbd>L</kbd></button>
      <div class="segments" role="radiogroup" aria-label="Contact law">
        {[...(first("lugre.law")?.choices ?? []), "blend"].map((name) => (
          <button key={name} type="button" role="radio" aria-checked={law === name} disabled={!law} onClick={() => void app.setLaw(name)}
            title={name === "blend" ? "lugre.enabled: false, the kinematic blend" : `lugre.law: ${name}`}>{name}</button>))}
      </div>
      {catalog.vehicles.length > 0 && <label>Car
        <select value={source?.vehicle ?? ""} onChange={(e) => { void app.setVehicle(e.currentTarget.value); e.currentTarget.blur(); }}>
          <option value="">of the scene</option>
          {catalog.vehicles.map((v) => <option key={v.id} value={v.id}>{v.label || v.id}</option>)}
        </select></label>}
      <Choice name="Level" field={first("level")} />
      {tires.length > 0 && <label>Tire
        <select value={app.tire} onChange={(e) => { void app.setTire(e.currentTarget.value); e.currentTarget.blur(); }}>
          <option value="">as the car has it</option>
          {app.tire && !tires.some((t) => t.id === app.tire) && <option value={app.tire}>{app.tire.split("/").at(-1)}</option>}
          {tires.map((t) => <option key={t.id} value={t.id}>{t.label || t.id}</option>)}
        </select></label>}
      <Choice name="Integrator" field={first("solver.integrator")} />
      <Choice name="dt" field={first("solver.dt")} choices={["0.0005", "0.001", "0.002", "0.005", "0.01"]} />
    </div>
  );
}

function Choice({ name, field, choices }: { name: string; field: Field | undefined; choices?: string[] }) {
  const app = useApp();
  if (!field) return null;
  const same = app.fieldsEnding(field.path.split(".").slice(-(field.path.startsWith("solver") ? 2 : 1)).join("."));
  const all = choices ?? field.choices ?? [], known = all.some((c) => Number(c) === Number(field.value) || c === field.value);
  return (
    <label title={field.meaning}>{name}
      <select value={all.find((c) => c === field.value || (choices && Number(c) === Number(field.value))) ?? field.value}
        onChange={(e) => { const v = e.currentTarget.value; e.currentTarget.blur(); void app.edit(same.map((f) => [f.path, v])); }}>
        {!known && <option value={field.value}>{field.value}</option>}
        {all.map((c) => <option key={c} value={c}>{c}{field.unit && field.unit !== "-" ? ` ${field.unit}` : ""}</option>)}
      </select>
    </label>
  );
}
