/** New files in a folder with this bit get its group. Core and edge share such a folder if they run as two users. */
export const SET_GROUP_ID = 0o2000;
