package dev.idspring.gapless.scope;

import java.time.LocalDate;
import java.util.Collection;
import java.util.List;
import java.util.OptionalLong;
import java.util.UUID;
import java.util.stream.LongStream;

import javax.sql.DataSource;

import dev.idspring.IdDescription;
import dev.idspring.IdGenerator;
import dev.idspring.InvalidSettingException;
import dev.idspring.ScopedIds;
import dev.idspring.TransactionalIds;
import dev.idspring.gapless.scope.ScopedSequence.Drawn;
import dev.idspring.text.IdScope;
import dev.idspring.text.TextForm;
import org.jspecify.annotations.Nullable;

/**
 * Draws, formats and parses the numbers of one scope. If no scope is given, the resolver
 * selects the scope for each call.
 */
final class ScopeNumbers implements ScopedIds, TransactionalIds {

	private final ScopedGaplessIdGenerator generator;

	/** The parts of the scope. If the list is empty, the resolver supplies the scope. */
	private final List<String> scopeParts;

	/** A day of the period, or {@code null} for the current period. */
	private final @Nullable LocalDate date;

	ScopeNumbers(ScopedGaplessIdGenerator generator, List<String> scopeParts, @Nullable LocalDate date) {
		this.generator = generator;
		this.scopeParts = scopeParts;
		this.date = date;
	}

	private List<String> scope() {
		return this.scopeParts.isEmpty() ? this.generator.resolve() : this.scopeParts;
	}

	@Override
	public String name() {
		return this.generator.name();
	}

	@Override
	public ScopedIds at(LocalDate date) {
		return new ScopeNumbers(this.generator, this.scopeParts, this.generator.verifyDate(date));
	}

	@Override
	public void start(long first) {
		this.generator.keySpace().ordinal(first);
		IdScope scope = this.generator.clock().scope(scope(), day());
		long next = this.generator.sequence().start(scope, first);
		if (next != first) {
			throw new IllegalStateException("Scope " + scope + " of id generator '" + name() + "' cannot start with "
					+ first + ": the scope has already begun, and its next number is " + next + ".");
		}
	}

	@Override
	public void verifyInsert(Insert insert) {
		this.generator.verifyInsert(insert);
	}

	@Override
	public void verifyInserts(String row, Collection<DataSource> dataSources) {
		this.generator.verifyInserts(row, dataSources);
	}

	private LocalDate day() {
		return (this.date != null) ? this.date : this.generator.clock().today();
	}

	@Override
	public long nextLong() {
		return this.generator.draw(scope(), this.date, 1).first();
	}

	@Override
	public String nextString() {
		List<String> scope = scope();
		Drawn drawn = this.generator.draw(scope, this.date, 1);
		return this.generator.form(scope, drawn.day()).format(drawn.first());
	}

	@Override
	public UUID nextUuid() {
		List<String> scope = scope();
		Drawn drawn = this.generator.draw(scope, this.date, 1);
		return this.generator.uuids(scope, drawn.day()).toUuid(drawn.first());
	}

	@Override
	public UUID toUuid(long id) {
		this.generator.keySpace().ordinal(id);
		return this.generator.uuids(scope(), day()).toUuid(id);
	}

	@Override
	public long fromUuid(UUID uuid) {
		long id = this.generator.uuids(scope(), day()).fromUuid(uuid);
		this.generator.keySpace().ordinal(id);
		return id;
	}

	@Override
	public void nextLongs(long[] into) {
		if (InvalidSettingException.requireGiven(IdGenerator.class, "into", into).length > 0) {
			this.generator.fill(this.generator.draw(scope(), this.date, into.length).first(), into);
		}
		else {
			this.generator.verifyOpen();
		}
	}

	@Override
	public List<String> nextStrings(int count) {
		ScopedGaplessIdGenerator.verifyCount(count);
		List<String> scope = scope();
		if (count == 0) {
			this.generator.verifyOpen();
			return List.of();
		}
		Drawn drawn = this.generator.draw(scope, this.date, count);
		TextForm form = this.generator.form(scope, drawn.day());
		return LongStream.range(drawn.first(), drawn.first() + count).mapToObj(form::format).toList();
	}

	@Override
	public String format(long id) {
		this.generator.keySpace().ordinal(id);
		return this.generator.form(scope(), day()).format(id);
	}

	@Override
	public long parse(String text) {
		long id = this.generator.form(scope(), day()).parse(text);
		this.generator.keySpace().ordinal(id);
		return id;
	}

	@Override
	public IdDescription describe(long id) {
		long ordinal = this.generator.keySpace().ordinal(id);
		List<String> scope = scope();
		LocalDate day = day();
		OptionalLong next = this.generator.sequence().next(this.generator.clock().scope(scope, day));
		return IdDescription.ofOrdinal(id, this.generator.form(scope, day).format(id), ordinal,
				next.isPresent() && id < next.getAsLong());
	}

	@Override
	public String toString() {
		return this.generator + (this.scopeParts.isEmpty() ? "" : " in " + new IdScope(this.scopeParts, "-"));
	}

}
