/** Something that only the operator can change. Its message is the one line that the process prints before it exits with 1. */
export class StartError extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'StartError'
  }
}
