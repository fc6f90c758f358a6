import { Button, chakra, Flex, SimpleGrid } from '@chakra-ui/react';
import { Field } from '../../ui/form/fields/Field';
import { FileButton } from '../../ui/form/fields/FileButton';
import { CODE_INPUT, TextField } from '../../ui/form/fields/textFields';
import type { FormFields } from '../../ui/form/formFields';
import { uiMessages } from '../../ui/ui.messages';
import { hostPoliciesMessages } from './host-policies.messages';
import type { PolicyValues } from './policyForm';

const { branding: messages } = hostPoliciesMessages;
const MAX_LOGO_BYTES = 64 * 1024;

/** The content of a file in base64. */
const readBase64 = (file: File): Promise<string> =>
  new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(String(reader.result).split(',', 2)[1] ?? '');
    reader.onerror = () => reject(new Error('the file cannot be read'));
    reader.readAsDataURL(file);
  });

/** Name, colour and logo of the pages for the password, for maintenance and for errors. */
export function BrandingFields({ form, disabled }: { form: FormFields<PolicyValues>; disabled: boolean }) {
  const { errors, change, setErrors } = form;
  const logoPng = form.watch('logoPng');
  const chooseLogoFile = (file: File) => {
    const isUsableLogo = file.type === 'image/png' && file.size <= MAX_LOGO_BYTES;
    if (!isUsableLogo) return setErrors({ logoPng: messages.logoWrong });
    const showUnreadable = () => setErrors({ logoPng: uiMessages.unreadableFile });
    readBase64(file).then((content) => change({ logoPng: content }), showUnreadable);
  };
  return (
    <>
      <SimpleGrid columns={{ md: 2 }} gap="4">
        <TextField {...form.text('name', messages)} optional />
        <TextField {...form.text('accent', messages)} {...CODE_INPUT} optional />
      </SimpleGrid>
      <Field label={messages.logo} error={errors.logoPng}>
        {(control) => (
          <>
            {logoPng && (
              <chakra.img
                maxW="240px"
                maxH="80px"
                borderRadius="sm"
                bg="bg.subtle"
                alt={messages.logoAlt}
                src={`data:image/png;base64,${logoPng}`}
              />
            )}
            {!disabled && (
              <Flex wrap="wrap" gap="2">
                <FileButton
                  {...control}
                  variant="outline"
                  size="sm"
                  label={messages.chooseLogo}
                  accept="image/png"
                  onFiles={([file]) => chooseLogoFile(file)}
                >
                  {messages.chooseLogo}
                </FileButton>
                {logoPng && (
                  <Button variant="outline" size="sm" onClick={() => change({ logoPng: '' })}>
                    {messages.removeLogo}
                  </Button>
                )}
              </Flex>
            )}
          </>
        )}
      </Field>
    </>
  );
}
