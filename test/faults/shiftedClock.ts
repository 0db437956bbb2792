// Imported by a process before all else: its clock is wrong by CLOCK_SHIFT_MS from then on. What measures
// durations is not moved.
const shiftMs = Number(process.env.CLOCK_SHIFT_MS)
const RealDate = Date

globalThis.Date = new Proxy(RealDate, {
  construct: (target, args, self) =>
    Reflect.construct(target, args.length === 0 ? [target.now() + shiftMs] : args, self) as Date,
  apply: (target) => new target(target.now() + shiftMs).toString(),
  get: (target, name, self) =>
    name === 'now' ? () => RealDate.now() + shiftMs : (Reflect.get(target, name, self) as unknown),
})
