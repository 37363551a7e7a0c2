/* SPDX-License-Identifier: Apache-2.0 */
/* VDSim for C, and for every language that calls C. Units SI, axes ISO 8855 (x forward, y left, z up), text UTF-8. docs/C_API.md
 *
 * Every function that can fail returns a vdsim_status, and after a failure nothing has changed; vdsim_error() tells why.
 * Handles are opaque. One belongs to one thread at a time; a catalog, and a spec that nobody changes, may be shared by threads.
 * A struct begins with its size (use the *_INIT macros); members that a shorter, older struct lacks have their default.
 * Text out: (buf, cap, need): *need gets the bytes with the closing 0; buf NULL asks for that alone. */
#ifndef VDSIM_H
#define VDSIM_H
#include <math.h>
#include <stddef.h>
#include <stdint.h>

#if defined(_WIN32) && defined(VDSIM_BUILDS_C)
#define VDSIM_API __declspec(dllexport)
#elif defined(_WIN32)
#define VDSIM_API __declspec(dllimport)
#else
#define VDSIM_API __attribute__((visibility("default")))
#endif
#ifdef __cplusplus
extern "C" {
#endif

#define VDSIM_ABI_VERSION 1

/* 0 to 4 are the exit codes of the command line. */
typedef enum vdsim_status {
  VDSIM_OK = 0,
  VDSIM_VERDICT_FAILED = 1, /* of a check; no function here returns it yet */
  VDSIM_BAD_INPUT = 2,      /* a text, a path, a number or a snapshot is refused */
  VDSIM_DIVERGED = 3,       /* a step has no finite result */
  VDSIM_FILE_ERROR = 4,     /* a file cannot be read or written */
  VDSIM_MISUSE = 5,         /* NULL, a wrong struct size or kind, an index out of range, not there yet */
  VDSIM_NO_MEMORY = 6
} vdsim_status;

/* --- general */
VDSIM_API int vdsim_abi_version(void);              /* VDSIM_ABI_VERSION of the library */
VDSIM_API const char *vdsim_version(void);          /* of VDSim, "0.2.0" */
VDSIM_API const char *vdsim_error(void);            /* all lines of the last failure in this thread; "" if there was none */
VDSIM_API size_t vdsim_error_count(void);           /* how many lines it has */
typedef struct vdsim_error_info {                   /* one line, in parts; texts live until the next failure in this thread */
  uint32_t size;                                    /* sizeof(vdsim_error_info) */
  int32_t line, column;                             /* from 1; 0 = the whole file */
  const char *file, *path, *what;                   /* path: of the key, "chassis.mass"; "" where there is none */
} vdsim_error_info;
VDSIM_API int vdsim_error_item(size_t i, vdsim_error_info *out); /* line i of the last failure in this thread */

/* --- catalog: the shipped parts, vehicles and scenes */
typedef struct vdsim_catalog vdsim_catalog;
typedef enum vdsim_kind { VDSIM_PART = 0, VDSIM_VEHICLE = 1, VDSIM_SCENE = 2 } vdsim_kind;
VDSIM_API int vdsim_catalog_open(const char *folder, vdsim_catalog **out); /* NULL: $VDSIM_CONFIGS, or what VDSim came with */
VDSIM_API int vdsim_catalog_ids(const vdsim_catalog *, int kind, char *buf, size_t cap, size_t *need); /* one id a line */
VDSIM_API void vdsim_catalog_close(vdsim_catalog *); /* specs made with it live on; NULL does nothing */

/* --- spec: a part, a vehicle or a scene */
typedef struct vdsim_spec vdsim_spec;
VDSIM_API int vdsim_spec_load(const vdsim_catalog *, int kind, const char *id_or_file, vdsim_spec **out); /* of the catalog, or a file */
VDSIM_API int vdsim_spec_read(const vdsim_catalog *, int kind, const char *text, size_t len, const char *folder,
                              vdsim_spec **out); /* of YAML; folder: where its relative paths start, NULL = here */
VDSIM_API int vdsim_spec_set(vdsim_spec *, const char *path, const char *text); /* as --set path=text; a block sets several keys at once */
VDSIM_API int vdsim_spec_set_number(vdsim_spec *, const char *path, double value);                   /* the same with a number */
VDSIM_API int vdsim_spec_set_list(vdsim_spec *, const char *path, const double *values, size_t count); /* the same with a list */
VDSIM_API int vdsim_spec_get(const vdsim_spec *, const char *path, char *buf, size_t cap, size_t *need); /* a value as set takes it */
VDSIM_API int vdsim_spec_get_number(const vdsim_spec *, const char *path, double *value); /* number, whole number, switch (0, 1) */
VDSIM_API int vdsim_spec_get_list(const vdsim_spec *, const char *path, double *values, size_t cap, size_t *need); /* a list */
VDSIM_API int vdsim_spec_text(const vdsim_spec *, char *buf, size_t cap, size_t *need);  /* YAML that reads back to the same bits */
VDSIM_API int vdsim_spec_hash(const vdsim_spec *, char *buf, size_t cap, size_t *need);  /* 16 hex digits; of a scene the `config` of its runs */
VDSIM_API int vdsim_spec_notes(const vdsim_spec *, char *buf, size_t cap, size_t *need); /* of a scene: warnings, keys without effect; a line each */
VDSIM_API int vdsim_spec_copy(const vdsim_spec *, vdsim_spec **out);                     /* another one with the same values */
VDSIM_API void vdsim_spec_free(vdsim_spec *);                                            /* NULL does nothing */
typedef struct vdsim_field_info { /* one value of a spec; texts live until the spec is changed or freed */
  uint32_t size;                  /* sizeof(vdsim_field_info) */
  uint32_t choice_count;          /* of choices */
  const char *path;               /* for set and get; of several cars "<car id>.chassis.mass" */
  const char *unit, *meaning;     /* "kg", "" or "-": none */
  const char *kind;               /* number integer flag choice text list table other */
  const char *default_text;       /* of a spec that does not name it; "" = not given */
  double lo, hi;                  /* range; infinite: no limit */
  int32_t lo_open, hi_open;       /* 1: the limit itself is refused */
  const char *const *choices;     /* the words of a choice */
} vdsim_field_info;
VDSIM_API int vdsim_field_count(const vdsim_spec *, size_t *count);                  /* how many values there are */
VDSIM_API int vdsim_field(const vdsim_spec *, size_t i, vdsim_field_info *out);      /* value i, 0 <= i < count */

/* --- sim: one car of a scene, stepped by you or by the scene's driver */
typedef struct vdsim_sim vdsim_sim;
typedef struct vdsim_commands {                /* what reaches the car */
  uint32_t size;                               /* sizeof(vdsim_commands) */
  int32_t gear;                                /* 1 forward, 0 neutral, -1 reverse; manual gearbox: the gear */
  double steer;                                /* road-wheel angle of the single track [rad], left positive */
  double throttle, brake, handbrake;           /* 0 .. 1 */
  double torque[4];                            /* of single wheels fl fr rl rr, beside the pedals [N m] */
} vdsim_commands;
#define VDSIM_COMMANDS_INIT {sizeof(vdsim_commands), 1, 0, 0, 0, 0, {0, 0, 0, 0}}
typedef struct vdsim_demand {                  /* what a driver wants; NaN = not said; one command level along, one across */
  uint32_t size;                               /* sizeof(vdsim_demand) */
  int32_t gear;                                /* this and the next two lines as in vdsim_commands, where nothing below works them */
  double steer, throttle, brake, handbrake;
  double torque[4];
  double speed, speed_rate;                    /* hold this speed [m/s], which changes at this rate [m/s^2] */
  double acceleration;                         /* along the gear's direction [m/s^2] */
  double force;                                /* sum of the longitudinal contact forces [N] */
  double curvature;                            /* of the path driven, left positive [1/m] */
  int32_t follow_path;                         /* 1: steer along the path of the scene's driver */
  int32_t wheel_torques;                       /* 1: torque drives; an engine stays out of it */
} vdsim_demand;
#define VDSIM_DEMAND_INIT {sizeof(vdsim_demand), 1, 0, 0, 0, 0, {0, 0, 0, 0}, NAN, 0, NAN, NAN, NAN, 0, 0}
typedef struct vdsim_pose {                    /* where a car starts */
  uint32_t size;                               /* sizeof(vdsim_pose) */
  double x, y, yaw;                            /* [m], [rad] */
  double vx;                                   /* [m/s]; the wheels roll without slip */
  double z;                                    /* L3, L5: dropped from this height [m]; 0 = stands on the road */
} vdsim_pose;
#define VDSIM_POSE_INIT {sizeof(vdsim_pose), 0, 0, 0, 0, 0}
VDSIM_API int vdsim_sim_create(const vdsim_spec *scene, const char *car, vdsim_sim **out); /* car: its id; NULL = the only one */
VDSIM_API int vdsim_sim_step(vdsim_sim *, const vdsim_commands *from, const vdsim_commands *to,
                             double h); /* advance by h [s]; commands go linearly to `to`, NULL = held */
VDSIM_API int vdsim_sim_demand(vdsim_sim *, const vdsim_demand *now, const vdsim_demand *next,
                               double h); /* the same by a driver's demands, NULL = held */
VDSIM_API int vdsim_sim_run(vdsim_sim *, double until); /* the scene's driver until this time [s]; diverged: the step before is kept */
VDSIM_API int vdsim_sim_change(vdsim_sim *, const vdsim_spec *); /* while driving: another vehicle, or car, road, driver of a scene */
VDSIM_API int vdsim_sim_reset(vdsim_sim *, const vdsim_pose *);  /* start again, there; NULL = where the scene says */
typedef struct vdsim_signal { /* a signal: a column of run.csv; texts live until the sim is changed or freed */
  uint32_t size;                   /* sizeof(vdsim_signal) */
  const char *name, *unit, *meaning;
} vdsim_signal;
VDSIM_API int vdsim_signal_count(const vdsim_sim *, size_t *count);                        /* ids are 0 .. count - 1 */
VDSIM_API int vdsim_signal_info(const vdsim_sim *, uint32_t id, vdsim_signal *out);        /* name, unit, meaning of one */
VDSIM_API int vdsim_signal_id(const vdsim_sim *, const char *name, uint32_t *id);          /* "vx", "fz_fl"; until vdsim_sim_change */
VDSIM_API int vdsim_sim_read(vdsim_sim *, const uint32_t *ids, size_t n, double *out);     /* values now; ids NULL: the first n */
VDSIM_API int vdsim_sim_snapshot_size(const vdsim_sim *, size_t *bytes);                   /* of a snapshot of this car, until vdsim_sim_change */
VDSIM_API int vdsim_sim_snapshot(const vdsim_sim *, void *bytes, size_t cap);              /* everything that persists */
VDSIM_API int vdsim_sim_restore(vdsim_sim *, const void *bytes, size_t n);                 /* of a sim of the same car, level and road */
VDSIM_API int vdsim_state_count(const vdsim_sim *, size_t *count);                         /* n states of the equations of motion */
VDSIM_API int vdsim_state_info(const vdsim_sim *, uint32_t i, vdsim_signal *out);          /* of one; texts live until the next call in this thread */
VDSIM_API int vdsim_sim_jacobian(vdsim_sim *, double *A, double *B); /* exact derivatives of the states' rates now, row by row: by states n x n, by
                             steer, throttle, brake, handbrake n x 4; NULL = not wanted */
VDSIM_API void vdsim_sim_free(vdsim_sim *);                                                /* NULL does nothing */

/* --- tire: one alone on a rig; axes of the wheel at the contact point, forces of the road on the tire */
typedef struct vdsim_tire vdsim_tire;
typedef struct vdsim_rig_input { /* what the rig does to the tire */
  uint32_t size;                 /* sizeof(vdsim_rig_input) */
  double omega, vx, vy;          /* spin [rad/s]; velocity of the contact point over the road [m/s] */
  double fz;                     /* load [N] */
  double gamma;                  /* inclination, top to the right [rad] */
  double pressure;               /* [Pa]; 0 = the tire's own */
  double mu;                     /* road friction factor */
  double psidot;                 /* yaw rate of the wheel [rad/s] */
} vdsim_rig_input;
#define VDSIM_RIG_INPUT_INIT {sizeof(vdsim_rig_input), 0, 0, 0, 0, 0, 0, 1, 0}
typedef struct vdsim_rig_output { /* what the road does to it */
  uint32_t size;                 /* sizeof(vdsim_rig_output) */
  double fx, fy, fz, mx, my, mz; /* [N], [N m] */
  double kappa, alpha;           /* slip ratio, -1 = locked; slip angle [rad] */
} vdsim_rig_output;
#define VDSIM_RIG_OUTPUT_INIT {sizeof(vdsim_rig_output), 0, 0, 0, 0, 0, 0, 0, 0}
typedef struct vdsim_road_spot { /* the road at one place */
  double z, normal[3], mu;       /* height [m]; normal, upward, any length; friction factor */
} vdsim_road_spot;
typedef enum vdsim_sti_job {
  VDSIM_STI_START = 0, /* as if this had lasted for ever */
  VDSIM_STI_STEP = 1,  /* up to `time`, the motion linear since the last call; at the same time: the force alone */
  VDSIM_STI_TRY = 2    /* the same, and nothing is kept */
} vdsim_sti_job;
enum { VDSIM_STI_VARINF = 15 };
typedef struct vdsim_sti { /* a tire on a hub that moves through space; axes C of the wheel carrier: forward, left (spin axis), up */
  uint32_t size;           /* sizeof(vdsim_sti) */
  int32_t jobflg;          /* vdsim_sti_job */
  double time;             /* [s], not before that of the last call */
  double dis[3];           /* centre of the wheel, world axes, z up [m] */
  double tramat[9];        /* axes C in world axes, one after the other */
  double angtwc;           /* angle of the wheel about its axis [rad]: these tires are round, it has no effect */
  double vel[3], omega[3]; /* of the centre [m/s], of the carrier [rad/s], axes C */
  double omegar;           /* spin of the wheel in the carrier, forward > 0 [rad/s] */
  double pressure;         /* [Pa]; 0 = the tire's own */
  double wheel_mass;       /* damps the deflection as on L3 and L5 [kg]; 0 = undamped */
  int (*road)(void *user, double time, double x, double y, vdsim_road_spot *spot); /* fills spot, returns 0; NULL: z = 0, mu 1 */
  void *user;
  double force[3], torque[3];      /* out: of the road, at the centre of the wheel, axes C [N], [N m] */
  double varinf[VDSIM_STI_VARINF]; /* out: fx fy fz mx my mz kappa alpha as of a rig; gamma, vx, vy of the contact; deflection; contact point x y z */
} vdsim_sti;
#define VDSIM_STI_INIT \
  {sizeof(vdsim_sti), 0, 0, {0, 0, 0}, {1, 0, 0, 0, 1, 0, 0, 0, 1}, 0, {0, 0, 0}, {0, 0, 0}, 0, 0, 0, 0, 0, {0, 0, 0}, {0, 0, 0}, {0}}
VDSIM_API int vdsim_tire_create(const vdsim_spec *part, vdsim_tire **out);         /* of a tire part */
VDSIM_API int vdsim_tire_start(vdsim_tire *, const vdsim_rig_input *);             /* as if this had lasted for ever */
VDSIM_API int vdsim_tire_step(vdsim_tire *, const vdsim_rig_input *from, const vdsim_rig_input *to, double h,
                              vdsim_rig_output *out); /* input linear over h [s]; out: at its end, may be NULL */
VDSIM_API int vdsim_tire_output(const vdsim_tire *, const vdsim_rig_input *, vdsim_rig_output *out); /* at the present state */
VDSIM_API int vdsim_tire_steady(const vdsim_tire *, size_t n, const vdsim_rig_input *in, size_t in_stride, vdsim_rig_output *out,
                                size_t out_stride); /* n steady points; strides in bytes, in_stride 0 = one input for all; each out has its size set */
VDSIM_API int vdsim_tire_snapshot_size(const vdsim_tire *, size_t *bytes);         /* of a snapshot of this tire */
VDSIM_API int vdsim_tire_snapshot(const vdsim_tire *, void *bytes, size_t cap);    /* everything that persists */
VDSIM_API int vdsim_tire_restore(vdsim_tire *, const void *bytes, size_t n);       /* of a tire of the same part */
VDSIM_API int vdsim_tire_sti(vdsim_tire *, vdsim_sti *);                           /* by the motion of its hub, as the standard tire interface does */
VDSIM_API void vdsim_tire_free(vdsim_tire *);                                      /* NULL does nothing */

/* --- batch: many cars of one scene at once, stepped in the registers of all cores; commands come from outside */
typedef struct vdsim_batch vdsim_batch;
typedef struct vdsim_view {       /* one state of all cars, in place; valid until the batch is freed */
  uint32_t size;                  /* sizeof(vdsim_view) */
  void *data;                     /* float or double; car i: block i / lanes, lane i % lanes; lanes behind the last car mean nothing */
  size_t blocks, lanes, strides[2]; /* bytes */
  uint32_t number;                /* bytes of one: 4, 8 */
} vdsim_view;
#define VDSIM_VIEW_INIT {sizeof(vdsim_view), NULL, 0, 0, {0, 0}, 0}
VDSIM_API int vdsim_batch_create(const vdsim_spec *scene, size_t n, const char *number, vdsim_batch **out); /* of a scene; number: "double", "float" */
VDSIM_API int vdsim_batch_info(const vdsim_batch *, char *buf, size_t cap, size_t *need); /* how its cars are stepped, a line each */
VDSIM_API int vdsim_batch_set_field(vdsim_batch *, const char *path, const double *v, size_t stride, size_t first, size_t count); /* a value of cars first .. first + count - 1; stride 0 = one for all */
VDSIM_API int vdsim_batch_set_input(vdsim_batch *, const char *name, const double *v, size_t stride); /* a command of every car, held; stride 0 = one for all */
VDSIM_API int vdsim_batch_step(vdsim_batch *, double h, size_t steps, unsigned threads); /* all of them; threads 0 = as many as there are; a car that diverges stops, the others go on */
VDSIM_API int vdsim_batch_read(vdsim_batch *, const char *name, double *out, size_t stride); /* a signal of every car */
VDSIM_API int vdsim_batch_view(vdsim_batch *, const char *state, vdsim_view *out); /* a state of every car, without a copy */
VDSIM_API int vdsim_batch_status(const vdsim_batch *, int32_t *out); /* of every car: VDSIM_OK, VDSIM_DIVERGED */
VDSIM_API int vdsim_batch_why(const vdsim_batch *, size_t i, char *buf, size_t cap, size_t *need); /* how it showed that car i diverged; "" */
VDSIM_API int vdsim_batch_reset(vdsim_batch *, const uint8_t *mask, const vdsim_pose *poses); /* those of the mask (NULL: all) to a pose each (NULL: that of the scene) */
VDSIM_API int vdsim_batch_snapshot_size(const vdsim_batch *, size_t i, size_t *bytes); /* of car i */
VDSIM_API int vdsim_batch_snapshot(const vdsim_batch *, size_t i, void *bytes, size_t cap); /* of car i */
VDSIM_API int vdsim_batch_restore(vdsim_batch *, size_t i, const void *bytes, size_t n); /* car i; refused, and nothing changed, if of another car */
VDSIM_API void vdsim_batch_free(vdsim_batch *); /* NULL does nothing */

#ifdef __cplusplus
}
#endif
#endif
