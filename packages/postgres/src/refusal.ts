/** A fault of this machine or its settings that only its owner can fix. The message is one whole line for them. */
export class PostgresRefusal extends Error {}
