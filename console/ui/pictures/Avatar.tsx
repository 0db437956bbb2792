import { useState } from 'react'
import { pictureUrl, usePicture } from '../../data/files/pictures.ts'
import styles from './Avatar.module.css'
import { colourOf, initialsOf } from './internal/initials.ts'

interface Props {
  id: string
  name: string
  isLarge?: boolean
}

/**
 * The picture of a person, an agent or an org, or its initials in a colour of its own. The name stands beside
 * it.
 */
export function Avatar({ id, name, isLarge = false }: Props) {
  const picture = usePicture(id)
  const [broken, setBroken] = useState<string>()
  const colour = styles[`colour${colourOf(id)}`]
  return (
    <span aria-hidden="true" className={`${styles.avatar} ${colour} ${isLarge ? styles.large : ''}`}>
      {initialsOf(name)}
      {picture && picture.id !== broken ? (
        <img src={pictureUrl(picture.id)} alt="" decoding="async" onError={() => setBroken(picture.id)} />
      ) : null}
    </span>
  )
}
