/** Whether to run everything: the gate and `npm test` skip slow tests that seldom break (scripts/gate/suites.ts). */
export const isFull = process.env['GANTRY_FULL'] === 'on'
