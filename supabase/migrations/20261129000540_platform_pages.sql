-- Like before, but the addresses of pages of a platform, such as `https://x.com/home` and `https://instagram.com/p/ABC`, are
-- returned unchanged, so that the check constraint refuses them. The lists are those of `SocialHandle`.
create or replace function private.clean_handle(platform text, handle text) returns text
language sql immutable parallel safe
as $$
  select coalesce(
    nullif(regexp_replace(regexp_replace(btrim(handle, E' \t\n\r'),
      case platform
        when 'twitter' then '^(?:https?://)?(?:(?:www|mobile|m)\.)?(?:twitter|x)\.com/'
          '(?!(?:home|i|search|explore|hashtag|intent|share|settings|login|notifications)(?:[/?#]|$))([^/?#]*).*$'
        else '^(?:https?://)?(?:www\.)?instagram\.com/'
          '(?!(?:p|reel|reels|tv|stories|explore|accounts|direct|about|developer)(?:[/?#]|$))([^/?#]*).*$' end,
      '\1', 'i'), '^@', ''), ''),
    nullif(btrim(handle, E' \t\n\r'), ''));
$$;
