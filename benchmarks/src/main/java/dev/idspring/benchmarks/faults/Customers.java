package dev.idspring.benchmarks.faults;

import jakarta.persistence.Entity;
import jakarta.persistence.GeneratedValue;
import jakarta.persistence.GenerationType;
import jakarta.persistence.Id;
import jakarta.persistence.SequenceGenerator;
import jakarta.persistence.TableGenerator;

/**
 * Entities with ids from Hibernate, which reserves 50 ids at a time by default. Classes
 * whose names end in {@code Lo} are for the optimizer {@code pooled-lo}.
 */
public final class Customers {

	private Customers() {
	}

	@Entity
	public static class BySequence {

		@Id
		@SequenceGenerator(name = "ids", sequenceName = "hibernate")
		@GeneratedValue(strategy = GenerationType.SEQUENCE, generator = "ids")
		Long id;

	}

	@Entity
	public static class BySequenceLo {

		@Id
		@SequenceGenerator(name = "ids", sequenceName = "hibernate_lo")
		@GeneratedValue(strategy = GenerationType.SEQUENCE, generator = "ids")
		Long id;

	}

	@Entity
	public static class ByTable {

		@Id
		@TableGenerator(name = "ids", table = "hibernate")
		@GeneratedValue(strategy = GenerationType.TABLE, generator = "ids")
		Long id;

	}

	@Entity
	public static class ByTableLo {

		@Id
		@TableGenerator(name = "ids", table = "hibernate_lo")
		@GeneratedValue(strategy = GenerationType.TABLE, generator = "ids")
		Long id;

	}

}
