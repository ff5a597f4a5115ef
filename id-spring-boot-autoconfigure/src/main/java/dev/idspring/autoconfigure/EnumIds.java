package dev.idspring.autoconfigure;

import java.util.Locale;

/**
 * Writes constants as they are written in configuration files.
 */
final class EnumIds {

	private EnumIds() {
	}

	/**
	 * Return the name of a constant in lower case with dashes.
	 */
	static String id(Enum<?> constant) {
		return constant.name().toLowerCase(Locale.ROOT).replace('_', '-');
	}

}
