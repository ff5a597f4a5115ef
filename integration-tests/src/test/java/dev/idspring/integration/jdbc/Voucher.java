package dev.idspring.integration.jdbc;

import dev.idspring.annotation.GeneratedId;
import org.springframework.data.annotation.Id;
import org.springframework.data.annotation.Transient;
import org.springframework.data.domain.Persistable;

/**
 * An entity that implements {@link Persistable}.
 */
class Voucher implements Persistable<Long> {

	@Id
	@GeneratedId
	private Long id;

	private final int percent;

	@Transient
	private boolean createNew;

	Voucher(int percent) {
		this.percent = percent;
	}

	static Voucher createNew(Long id, int percent) {
		Voucher voucher = new Voucher(percent);
		voucher.id = id;
		voucher.createNew = true;
		return voucher;
	}

	@Override
	public Long getId() {
		return this.id;
	}

	@Override
	public boolean isNew() {
		return this.createNew;
	}

	int percent() {
		return this.percent;
	}

}
