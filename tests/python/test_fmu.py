# SPDX-License-Identifier: Apache-2.0
"""Scene.to_fmu: what it writes runs, through ctypes, to the bits of the scene; what cannot be written is refused."""
import ctypes
import os
import pathlib
import tempfile
import unittest
import xml.etree.ElementTree
import zipfile

from common import Case

import vdsim

LOGGER = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_char_p, ctypes.c_int, ctypes.c_char_p, ctypes.c_char_p)


class Callbacks(ctypes.Structure):
    _fields_ = [("logger", LOGGER), ("allocate", ctypes.c_void_p), ("free", ctypes.c_void_p), ("finished", ctypes.c_void_p),
                ("environment", ctypes.c_void_p)]


def drive(file, steps, names):
    """Outputs of an FMU of FMI 2.0 after so many steps of 10 ms."""
    with tempfile.TemporaryDirectory() as folder:
        zipfile.ZipFile(file).extractall(folder)
        root = xml.etree.ElementTree.parse(folder + "/modelDescription.xml").getroot()
        refs = {v.get("name"): int(v.get("valueReference")) for v in root.find("ModelVariables")}
        library = ctypes.CDLL(folder + "/binaries/linux64/vdsim.so")
        library.fmi2Instantiate.restype = ctypes.c_void_p
        callbacks = Callbacks(LOGGER(lambda *_: None))
        c = ctypes.c_void_p(library.fmi2Instantiate(b"car", 1, root.get("guid").encode(), pathlib.Path(folder, "resources").as_uri().encode(),
                                                    ctypes.byref(callbacks), 0, 0))
        real = ctypes.c_double
        assert library.fmi2SetupExperiment(c, 0, real(0), real(0), 0, real(0)) == 0
        assert library.fmi2EnterInitializationMode(c) == 0 and library.fmi2ExitInitializationMode(c) == 0
        for k in range(steps):
            assert library.fmi2DoStep(c, real(k * 0.01), real(0.01), 1) == 0
        out = (real * len(names))()
        vr = (ctypes.c_uint * len(names))(*(refs[n] for n in names))
        assert library.fmi2GetReal(c, vr, ctypes.c_size_t(len(names)), out) == 0
        library.fmi2FreeInstance(c)
        return list(out)


class Fmu(Case):
    def setUp(self):
        try:
            import vdsim._fmu  # noqa: F401
        except ImportError:
            self.skipTest("built without libzip and pugixml (packages.txt, fmu)")
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.file = os.path.join(self.folder.name, "car.fmu")

    def test_runs_to_the_bits_of_the_scene(self):
        scene = vdsim.Scene("step_steer", set={"mu": 0.7, "chassis.mass": 1700})
        self.assertIsInstance(scene.to_fmu(self.file, platforms="linux64"), list)
        run = scene.run(duration=2)
        names = ["x", "y", "psi", "vx", "r"]
        self.assertEqual(drive(self.file, 200, names), [float(run[n][-1]) for n in names])

    def test_versions_kinds_and_cars(self):
        plain = vdsim.Scene("step_steer", set={"powertrain.enabled": False})
        for fmi, kind, elements in ((2, "cs", {"CoSimulation"}), (3, "both", {"CoSimulation", "ModelExchange"}), (3, "me", {"ModelExchange"})):
            with self.subTest(fmi=fmi, kind=kind):
                plain.to_fmu(self.file, fmi, kind, control="external")
                root = xml.etree.ElementTree.fromstring(zipfile.ZipFile(self.file).read("modelDescription.xml"))
                self.assertEqual(root.get("fmiVersion"), f"{fmi}.0")
                self.assertEqual({e.tag for e in root} & {"CoSimulation", "ModelExchange"}, elements)
        several = vdsim.Scene("abs_stop")
        several.to_fmu(self.file, car="locked")
        with self.assertRaisesRegex(vdsim.InputError, "the scene has several, name one of abs, locked"):
            several.to_fmu(self.file)

    def test_what_cannot_be_written_is_refused_and_nothing_is(self):
        scene = vdsim.Scene("step_steer")
        for told, how in (("fmi: no '4'", {"fmi": 4}), ("did you mean 'cs'", {"kind": "cz"}), ("act in steps; use cs", {"kind": "me"}),
                          ("no 'nobody' in this scene", {"car": "nobody"}), ("did you mean 'win64'", {"platforms": ["win46"]}),
                          ("expected 1 to 8", {"command_level": 9}), ("no path of this scene matches", {"parameters": "chasis.*"}),
                          ("did you mean 'external'", {"control": "extern"})):
            with self.subTest(told), self.assertRaisesRegex(vdsim.InputError, told):
                scene.to_fmu(self.file, **how)
            self.assertFalse(os.path.exists(self.file))
        with self.assertRaises(OSError):
            scene.to_fmu(os.path.join(self.folder.name, "none", "car.fmu"))


if __name__ == "__main__":
    unittest.main()
