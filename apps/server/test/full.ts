/** Whether the full run asks: the gate and `npm test` take a part of what is slow and seldom breaks (scripts/gate/suites.ts). */
export const isFull = process.env['GANTRY_FULL'] === 'on'
