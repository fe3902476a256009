/** A reason not to start that its owner can mend. The message is the one line that is printed before exit code 1. */
export class Refusal extends Error {}
