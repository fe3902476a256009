import { QueueForm } from './queue-form.tsx'

/** Components of the agents domain for other domains. */
export { QueueForm }
