/** The form in which a version is served: its bytes, or a preview of a given size in pixels. */
export const RENDITIONS = ['original', 'preview-256', 'preview-1024'] as const
export type Rendition = (typeof RENDITIONS)[number]
