# SPDX-License-Identifier: Apache-2.0
"""What VDSim 0.7 had under another name: each says the way out."""

_SIM = 'use vdsim.Sim(vehicle, tire, level="L2", road=Road(..), dt=.., v0=..)'
_OLD = {
    "make_sim_session": _SIM,
    "make_sim_session_psd": "use vdsim.Sim(.., road=Road.psd(..))",
    "make_direct_control_session": "use vdsim.Sim and set_input(torque=[..])",
    "make_init_state": "use x0, y0, yaw0, v0 of vdsim.Sim",
    "create_kinematic": "use level L1",
    "create_bicycle": 'use vdsim.Sim(level="L1")',
    "create_seven_dof": 'use vdsim.Sim(level="L2")',
    "create_fourteen_dof": 'use vdsim.Sim(level="L3")',
    "create_fourteen_dof_kinematic": 'use vdsim.Sim(level="L3")',
    "create_stunt_dof": 'use vdsim.Sim(level="L5")',
    "create_tire_from_params": "use Tire.preset().set(..), then Tire.eval or Rig",
}


def _refuse(name, way_out):
    def refused(*_, **__):
        raise NotImplementedError(f"{name} of VDSim 0.7 is gone: {way_out}")

    refused.__name__ = refused.__qualname__ = name
    refused.__doc__ = f"Refused: {way_out}."
    return refused


OLD = {name: _refuse(name, way_out) for name, way_out in _OLD.items()}
