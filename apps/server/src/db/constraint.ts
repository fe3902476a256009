interface DatabaseError {
  code?: string
  constraint?: string
}

/** For `.catch`: turns the violation of one constraint into `fault`, and rethrows everything else. */
export const brokenConstraint =
  (constraint: string, fault: Error) =>
  (error: unknown): never => {
    throw (error as DatabaseError).constraint === constraint ? fault : error
  }
