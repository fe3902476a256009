import { QueueForm } from './queue-form.tsx'

/** What other domains may show of build agents. */
export { QueueForm }
