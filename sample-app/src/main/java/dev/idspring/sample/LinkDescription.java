package dev.idspring.sample;

import dev.idspring.IdDescription;
import org.jspecify.annotations.Nullable;

/**
 * What a key says about itself, and where it leads if it is in use. The number is a
 * string, since JavaScript cannot hold all longs.
 *
 * @param key the text form of the id
 * @param number the numeric form of the id
 * @param ordinal the place of the key in the order in which keys are handed out
 * @param reserved whether the key may have been handed out
 * @param url where it leads, {@code null} if no link has this key
 */
record LinkDescription(String key, String number, @Nullable Long ordinal, @Nullable Boolean reserved,
		@Nullable String url) {

	static LinkDescription of(IdDescription id, @Nullable String url) {
		return new LinkDescription(id.text(), Long.toString(id.id()), id.ordinal(), id.reserved(), url);
	}

}
