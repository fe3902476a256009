/** Where a service is shown, without the widgets of stacks that `public.tsx` loads. */
export { toService } from './places.ts'
