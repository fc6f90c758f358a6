import { Button, type ButtonProps } from '@chakra-ui/react';
import { useRef } from 'react';

interface FileButtonProps extends ButtonProps {
  label: string;
  accept?: string;
  /** The user chooses a folder. `onFiles` gets all its files, with `webkitRelativePath`. */
  isFolder?: boolean;
  onFiles: (files: [File, ...File[]]) => void;
}

/** A button that opens the browser's file dialog. The same file may be chosen again, after it was changed. */
export function FileButton({ label, accept, isFolder = false, onFiles, ...button }: FileButtonProps) {
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <Button {...button} onClick={() => input.current?.click()} />
      <input
        ref={input}
        // React's types do not know the attribute.
        {...(isFolder && { webkitdirectory: '' })}
        type="file"
        hidden
        accept={accept}
        aria-label={label}
        onChange={({ currentTarget }) => {
          const [first, ...otherFiles] = currentTarget.files ?? [];
          currentTarget.value = '';
          if (first) onFiles([first, ...otherFiles]);
        }}
      />
    </>
  );
}
