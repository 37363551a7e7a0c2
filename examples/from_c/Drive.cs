// SPDX-License-Identifier: Apache-2.0
// C#: a shipped scene, driven by its own driver, watched from outside. Check: what a snapshot goes on to is what was there.
using System;
using System.Runtime.InteropServices;
using System.Text;

static class Drive {
  const string Lib = "vdsim";
  [DllImport(Lib)] static extern IntPtr vdsim_error();
  [DllImport(Lib)] static extern int vdsim_catalog_open(byte[] folder, out IntPtr catalog);
  [DllImport(Lib)] static extern void vdsim_catalog_close(IntPtr catalog);
  [DllImport(Lib)] static extern int vdsim_spec_load(IntPtr catalog, int kind, byte[] name, out IntPtr spec);
  [DllImport(Lib)] static extern int vdsim_spec_set_number(IntPtr spec, byte[] path, double value);
  [DllImport(Lib)] static extern void vdsim_spec_free(IntPtr spec);
  [DllImport(Lib)] static extern int vdsim_sim_create(IntPtr scene, byte[] car, out IntPtr sim);
  [DllImport(Lib)] static extern int vdsim_sim_run(IntPtr sim, double until);
  [DllImport(Lib)] static extern int vdsim_signal_id(IntPtr sim, byte[] name, out uint id);
  [DllImport(Lib)] static extern int vdsim_sim_read(IntPtr sim, uint[] ids, UIntPtr n, double[] values);
  [DllImport(Lib)] static extern int vdsim_sim_snapshot_size(IntPtr sim, out UIntPtr bytes);
  [DllImport(Lib)] static extern int vdsim_sim_snapshot(IntPtr sim, byte[] bytes, UIntPtr cap);
  [DllImport(Lib)] static extern int vdsim_sim_restore(IntPtr sim, byte[] bytes, UIntPtr n);
  [DllImport(Lib)] static extern void vdsim_sim_free(IntPtr sim);

  static void Check(int status) {
    if (status != 0) throw new Exception(Marshal.PtrToStringAnsi(vdsim_error()));
  }
  static byte[] Utf8(string text) { return Encoding.UTF8.GetBytes(text + "\0"); }

  static int Main() {
    IntPtr catalog, scene, sim;
    Check(vdsim_catalog_open(null, out catalog));
    Check(vdsim_spec_load(catalog, 2, Utf8("step_steer"), out scene));
    Check(vdsim_spec_set_number(scene, Utf8("chassis.cg_height"), 0.5));
    Check(vdsim_sim_create(scene, null, out sim));
    string[] names = {"t", "vx", "r", "ay"};
    uint[] ids = new uint[4];
    double[] now = new double[4], again = new double[4];
    for (int i = 0; i < 4; ++i) Check(vdsim_signal_id(sim, Utf8(names[i]), out ids[i]));
    UIntPtr size;
    Check(vdsim_sim_snapshot_size(sim, out size));
    byte[] saved = new byte[(int)size];
    Console.WriteLine("  t [s]  vx [m/s]  yaw rate [rad/s]  ay [m/s^2]");
    for (int k = 0; k <= 4; ++k) {
      Check(vdsim_sim_run(sim, 0.5 * k));
      if (k == 2) Check(vdsim_sim_snapshot(sim, saved, size));
      Check(vdsim_sim_read(sim, ids, (UIntPtr)4, now));
      Console.WriteLine("{0,7:F1} {1,9:F3} {2,17:F4} {3,11:F3}", now[0], now[1], now[2], now[3]);
    }
    Check(vdsim_sim_restore(sim, saved, size));
    Check(vdsim_sim_run(sim, 2));
    Check(vdsim_sim_read(sim, ids, (UIntPtr)4, again));
    bool same = true;
    for (int i = 0; i < 4; ++i) same = same && now[i] == again[i];
    Console.WriteLine("Drive: from the snapshot {0}", same ? "the same bits" : "something else");
    vdsim_sim_free(sim);
    vdsim_spec_free(scene);
    vdsim_catalog_close(catalog);
    return same ? 0 : 1;
  }
}
