/** The title of a job: its name and the values of its matrix; empty for the job of plain stages. */
export const jobTitle = ({ name, matrix }: { name: string; matrix: unknown }): string => {
  const values = Object.values(matrix as Record<string, string>)
  return values.length === 0 ? name : `${name} (${values.join(', ')})`
}
