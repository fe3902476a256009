/** Something about this machine or its settings that only its owner can change. The message is one whole line for that person. */
export class PostgresRefusal extends Error {}
