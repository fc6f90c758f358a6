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

const readBase64 = async (file: File): Promise<string> =>
  btoa(Array.from(new Uint8Array(await file.arrayBuffer()), (byte) => String.fromCharCode(byte)).join(''));

/** Name, colour and logo of the pages for the password, for maintenance and for errors. */
export function BrandingFields({ form, disabled }: { form: FormFields<PolicyValues>; disabled: boolean }) {
  const { errors, change, setErrors } = form;
  const logoPng = form.watch('brandingLogoPng');
  const chooseLogoFile = (file: File) => {
    if (file.type !== 'image/png' || file.size > MAX_LOGO_BYTES)
      return setErrors({ brandingLogoPng: messages.logoWrong });
    const onFailure = () => setErrors({ brandingLogoPng: uiMessages.unreadableFile });
    readBase64(file).then((content) => change({ brandingLogoPng: content }), onFailure);
  };
  return (
    <>
      <SimpleGrid columns={{ md: 2 }} gap="4">
        <TextField {...form.text('brandingName', messages)} optional />
        <TextField {...form.text('brandingAccent', messages)} {...CODE_INPUT} optional />
      </SimpleGrid>
      <Field label={messages.logo} error={errors.brandingLogoPng}>
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
                  <Button variant="outline" size="sm" onClick={() => change({ brandingLogoPng: '' })}>
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
