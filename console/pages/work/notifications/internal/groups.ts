/** A notification, as far as it says what it is about. */
export interface AboutThing {
  id: string
  entity_type: string
  entity_id: string
  read_at: string | null
  /** The question that it is. */
  confirmation?: object | null
}

/** The notifications about one thing, newest first. */
export interface NotificationGroup<One extends AboutThing> {
  newest: One
  earlier: readonly One[]
  /** The ids of those that are unread. */
  unread: readonly string[]
}

/**
 * Puts notifications together that are about the same thing. The order of groups is that of their newest
 * notifications. A question stands alone: it is answered by itself.
 */
export function groupByThing<One extends AboutThing>(notifications: readonly One[]): NotificationGroup<One>[] {
  const groups = Map.groupBy(notifications, ({ id, entity_type, entity_id, confirmation }) =>
    confirmation ? id : `${entity_type} ${entity_id}`,
  )
  return [...groups.values()].flatMap((group) => {
    const [newest, ...earlier] = group
    const unread = group.filter(({ read_at }) => read_at === null).map(({ id }) => id)
    return newest ? [{ newest, earlier, unread }] : []
  })
}
