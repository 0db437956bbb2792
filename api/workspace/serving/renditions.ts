/** What of a version is served: its bytes, or a preview of so many pixels. */
export const RENDITIONS = ['original', 'preview-256', 'preview-1024'] as const
export type Rendition = (typeof RENDITIONS)[number]
