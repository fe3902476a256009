import { useCallback, useEffect, useLayoutEffect, useRef, useState, type PointerEvent } from 'react'
import { nodeSize, type Layout, type Point } from './layout.ts'

/** In the units of the drawing. */
export interface Box {
  left: number
  top: number
  right: number
  bottom: number
}

/** The visible box changes in steps, so that dragging does not render again for every pixel. */
const grain = 160
/** Below this zoom, text is unreadable. */
const leastRead = 0.75
const zooms = { min: 0.2, max: 1.5, factor: 1.25 }

const isSame = (a: Box, b: Box) => a.left === b.left && a.top === b.top && a.right === b.right && a.bottom === b.bottom

/** A scrollable box over a drawing: its visible part, its zoom, and functions to move it. */
export function useViewport({ width, height }: Layout) {
  const box = useRef<HTMLDivElement>(null)
  const [zoom, setZoom] = useState(1)
  const [isOpen, setOpen] = useState(false)
  const [seen, setSeen] = useState<Box>({ left: 0, top: 0, right: 0, bottom: 0 })

  const look = useCallback(() => {
    const { current } = box
    if (!current) return
    const down = (value: number) => Math.floor(value / zoom / grain - 1) * grain
    const up = (value: number) => Math.ceil(value / zoom / grain + 1) * grain
    const now = {
      left: down(current.scrollLeft),
      top: down(current.scrollTop),
      right: up(current.scrollLeft + current.clientWidth),
      bottom: up(current.scrollTop + current.clientHeight),
    }
    setSeen((before) => (isSame(before, now) ? before : now))
  }, [zoom])
  useLayoutEffect(look, [look, width, height])
  useEffect(() => {
    const { current } = box
    if (!current) return undefined
    const sizes = new ResizeObserver(look)
    sizes.observe(current)
    current.addEventListener('scroll', look, { passive: true })
    return () => {
      sizes.disconnect()
      current.removeEventListener('scroll', look)
    }
  }, [look])

  /** The point at the centre, kept when zooming. */
  const middle = useRef<Point>(undefined)
  const changeZoom = (next: number) => {
    const { current } = box
    const wanted = Math.min(zooms.max, Math.max(zooms.min, next))
    if (!current) return
    middle.current = {
      x: (current.scrollLeft + current.clientWidth / 2) / zoom,
      y: (current.scrollTop + current.clientHeight / 2) / zoom,
    }
    setZoom(wanted)
  }
  useLayoutEffect(() => {
    const [{ current }, at] = [box, middle.current]
    middle.current = undefined
    if (!current || !at) return
    current.scrollTo(at.x * zoom - current.clientWidth / 2, at.y * zoom - current.clientHeight / 2)
  }, [zoom])

  /** Scrolls a node into view; does nothing if it is visible. */
  const show = useCallback(
    ({ x, y }: Point) => {
      const { current } = box
      if (!current) return
      const space = 24
      const into = (start: number, size: number, from: number, length: number) =>
        start - space < from
          ? start - space
          : start + size + space > from + length
            ? start + size + space - length
            : from
      current.scrollTo(
        into(x * zoom, nodeSize.width * zoom, current.scrollLeft, current.clientWidth),
        into(y * zoom, nodeSize.height * zoom, current.scrollTop, current.clientHeight),
      )
    },
    [zoom],
  )

  // It opens with as much of the drawing as is readable.
  useLayoutEffect(() => {
    const { current } = box
    if (current) setZoom(Math.min(1, Math.max(leastRead, current.clientWidth / width)))
    setOpen(true)
  }, [width])

  const grabbed = useRef<{ x: number; y: number; left: number; top: number }>(undefined)
  return {
    box,
    /** Whether it has its initial zoom. */
    isOpen,
    zoom,
    seen,
    show,
    zoomIn: () => changeZoom(zoom * zooms.factor),
    zoomOut: () => changeZoom(zoom / zooms.factor),
    /** Fits the whole drawing, at most at its natural size. */
    fit: () => {
      const { current } = box
      if (current) changeZoom(Math.min(1, current.clientWidth / width, current.clientHeight / height))
    },
    /** For dragging by mouse; touch scrolls natively. */
    drag: {
      onPointerDown: (event: PointerEvent<HTMLDivElement>) => {
        if (event.pointerType !== 'mouse' || event.button !== 0) return
        const { scrollLeft: left, scrollTop: top } = event.currentTarget
        grabbed.current = { x: event.clientX, y: event.clientY, left, top }
      },
      onPointerMove: (event: PointerEvent<HTMLDivElement>) => {
        if (grabbed.current === undefined || event.buttons !== 1) return
        const { x, y, left, top } = grabbed.current
        event.currentTarget.scrollTo(left + x - event.clientX, top + y - event.clientY)
      },
      onPointerUp: () => (grabbed.current = undefined),
      onPointerLeave: () => (grabbed.current = undefined),
    },
  }
}

export const isSeen = (place: Point, seen: Box): boolean =>
  place.x + nodeSize.width >= seen.left &&
  place.x <= seen.right &&
  place.y + nodeSize.height >= seen.top &&
  place.y <= seen.bottom

/** Whether a part of an edge may be visible: its curves stay within the bounding box of its points. */
export function isEdgeSeen(points: readonly Point[], seen: Box): boolean {
  const [xs, ys] = [points.map(({ x }) => x), points.map(({ y }) => y)]
  return (
    Math.min(...xs) <= seen.right &&
    Math.max(...xs) + nodeSize.width >= seen.left &&
    Math.min(...ys) <= seen.bottom &&
    Math.max(...ys) + nodeSize.height >= seen.top
  )
}
