import { useRef } from 'react'
import { usePicture } from '../../data/files/pictures.ts'
import { useChange } from '../../data/queries.ts'
import { t } from '../../texts/texts.ts'
import { Button } from '../forms/Button.tsx'
import { Problem } from '../forms/Problem.tsx'
import { Avatar } from './Avatar.tsx'

const ACCEPTED = 'image/png,image/jpeg,image/webp,image/gif,image/avif,image/tiff'
const HEADERS = { 'content-type': 'application/octet-stream' }

interface Props {
  urn: string
  name: string
}

/** The picture of a person, an agent or an org, and what replaces and removes it. */
export function PictureForm({ urn, name }: Props) {
  const id = urn.split(':').at(-1) ?? urn
  const picture = usePicture(id)
  const set = useChange('setPicture', ['listPictures'])
  const remove = useChange('removePicture', ['listPictures'])
  const input = useRef<HTMLInputElement>(null)
  const params = { urn }
  return (
    <>
      <div className="row">
        <Avatar id={id} name={name} isLarge />
        <Button busy={set.isPending} onClick={() => input.current?.click()}>
          {picture ? t('Change the picture') : t('Upload a picture')}
        </Button>
        {picture ? (
          <Button kind="quiet" busy={remove.isPending} onClick={() => remove.mutate({ params })}>
            {t('Remove it')}
          </Button>
        ) : null}
        <input
          ref={input}
          type="file"
          accept={ACCEPTED}
          hidden
          aria-label={t('Picture of {name}', { name })}
          onChange={({ target }) => {
            const [file] = target.files ?? []
            if (file) set.mutate({ params, upload: file, headers: HEADERS })
            // The same file can be chosen again.
            target.value = ''
          }}
        />
      </div>
      <Problem error={set.error ?? remove.error} />
    </>
  )
}
