/** The fields in which two documents of one kind differ. */
export const changedFields = <T extends object>(before: T, after: T): (keyof T & string)[] =>
  (Object.keys({ ...before, ...after }) as (keyof T & string)[]).filter(
    (field) => JSON.stringify(before[field]) !== JSON.stringify(after[field]),
  )
