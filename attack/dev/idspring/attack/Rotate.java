package dev.idspring.attack;

import java.time.*;
import java.util.*;
import dev.idspring.text.*;
import dev.idspring.time.*;

public class Rotate {

	static Secret secret(int seed) {
		byte[] b = new byte[32];
		new Random(seed).nextBytes(b);
		return Secret.of(Base64.getEncoder().encodeToString(b));
	}

	static void compare(String what, TimeScheme scheme, Instant from, Instant now) {
		TextSettings one = TextSettings.none().withSecrets(secret(1));
		TextSettings two = TextSettings.none().withSecrets(secret(1), secret(2).from(from));
		try {
			TimeScheme a = scheme.written(one, "x"), b = scheme.written(two, "x");
			TimeLayout l = scheme.layout();
			int differ = 0, n = 0;
			for (int node = 0; node < Math.min(4, l.nodes()); node++)
				for (int i = 1; i < 500; i++) {
					long id = l.id(0, l.time(now) - i, node, 0);
					n++;
					if (!a.format(id).equals(b.format(id)))
						differ++;
				}
			System.out.println(what + " from " + from + ": ids made before " + now + " whose text changes: " + differ
					+ " of " + n);
		}
		catch (IllegalArgumentException ex) {
			System.out.println(what + " from " + from + ": refused: " + ex.getMessage());
		}
	}

	public static void main(String[] args) {
		Instant now = Instant.parse("2026-11-23T00:00:00Z");
		Instant from = Instant.parse("2027-01-01T00:00:00Z");
		compare("composite, node first",
				new CompositeSettings(Instant.parse("2024-01-01T00:00:00Z"), false, 3, 3).scheme(), from, now);
		compare("composite, prefix first",
				new CompositeSettings(Instant.parse("2024-01-01T00:00:00Z"), true, 3, 3).scheme(), from, now);
		for (SnowflakeSettings.Preset p : SnowflakeSettings.Preset.values()) {
			for (String f : List.of("2027-01-01T00:00:00Z", "2100-01-01T00:00:00Z", "2160-01-01T00:00:00Z",
					"2165-01-01T00:00:00Z", "2001-01-01T00:00:00Z", "9999-01-01T00:00:00Z",
					"+1000000000-12-31T23:59:59.999Z", "-1000000000-01-01T00:00:00Z"))
				compare(p.toString(), p.settings().scheme(), Instant.parse(f), now);
		}
		for (boolean signed : new boolean[] { true, false })
			for (String f : List.of("2027-01-01T00:00:00Z", "2400-01-01T00:00:00Z", "9998-01-01T00:00:00Z",
					"2001-01-01T00:00:00Z"))
				compare("decimal-uid " + signed,
						new DecimalUidSettings(Instant.parse("2011-01-01T00:00:00Z"), 6, 1, signed).scheme(),
						Instant.parse(f), now);
	}

}
